"""`telecell picture`: real pictures, and clear refusals."""

import pytest
from PIL import Image


@pytest.mark.rendering
@pytest.mark.parametrize("name", ["puma", "puma560", "block"])
def test_cell_and_models_are_drawn_in_the_size_asked_for(telecell, tmp_path, name):
    target = tmp_path / "picture.png"
    result = telecell("picture", name, "--out", str(target), "--width", "320", "--height", "200")
    assert result.exit_code == 0
    with Image.open(target) as picture:
        assert (picture.format, picture.size) == ("PNG", (320, 200))
        assert len(picture.convert("RGB").getcolors(320 * 200) or []) > 50, "something is to be seen"


@pytest.mark.rendering
def test_pose_and_view_change_the_picture(telecell, tmp_path):
    options = ({}, {"--pose": "work"}, {"--view": "overview"})
    pictures = set()
    for number, chosen in enumerate(options):
        target = tmp_path / f"{number}.png"
        words = [word for pair in chosen.items() for word in pair]
        assert telecell("picture", "puma", *words, "--out", str(target), "--width", "160").exit_code == 0
        pictures.add(target.read_bytes())
    assert len(pictures) == 3


@pytest.mark.rendering
def test_file_is_named_after_cell_and_view_by_default(telecell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = telecell("picture", "puma", "--view", "top", "--width", "64", "--height", "64")
    assert result.stderr == "wrote puma-top.png (64 x 64)\n"
    assert (tmp_path / "puma-top.png").exists()


@pytest.mark.rendering
@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--view", "moon"], "no view of that name, got 'moon'; choose from: bench"),
        (["--pose", "dance"], "no pose of that name, got 'dance'; choose from: ready"),
        (["--width", "5"], "picture size in pixels, got '5 x 800', limit 16 to 4096 each"),
        (["--out", "/nowhere/picture.png"], "/nowhere/picture.png: cannot be written: No such file or directory"),
    ],
)
def test_picture_that_cannot_be_made_is_refused(telecell, options, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = telecell("picture", "puma", *options)
    assert result.exit_code == 1
    assert complaint in result.stderr
    assert not list(tmp_path.iterdir())


def test_machine_without_rendering_gets_a_message_with_a_remedy(telecell_process, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # A process of its own, because a process keeps its drawing context, and without the driver that EGL would load.
    result = telecell_process("picture", "block", MUJOCO_GL="egl", __EGL_VENDOR_LIBRARY_FILENAMES="/nowhere")
    assert result.returncode == 1
    assert result.stderr.startswith("error: no offscreen rendering (egl: ")
    assert result.stderr.count("\n") == 1
