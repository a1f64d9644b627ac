"""The cell goes and comes back, and the page finds it again by itself."""

from telecell.station.panels import ControlPanel, LinkPanel, LoopPanel

from .page_bench import CLIENT, Bench, get_events, get_text, get_waist_deg, slide


def wait_without_cell(bench: Bench, seconds: float) -> None:
    for _ in range(round(seconds / 0.1)):
        bench.clock.advance(0.1)
        bench.page.step(bench.clock.now())


def test_the_way_to_the_cell_is_shown(bench: Bench):
    bench.get_ready()
    text = get_text(bench, LinkPanel)
    for name in ("State age", "Round trip", "States lost"):
        assert name in text
    assert '<div data-row="lost"' in text


def test_a_cell_that_is_gone_is_silent_and_asking_it_is_refused(bench: Bench):
    bench.get_ready()
    bench.kill_server()
    wait_without_cell(bench, 3.0)
    assert "silent for 3 s" in get_text(bench, LoopPanel)
    bench.get_panel(ControlPanel).press("Power off", CLIENT)
    wait_without_cell(bench, 0.2)
    assert len(bench.people.notes) == 1


def test_a_restarted_cell_is_off_and_everybody_is_told(bench: Bench):
    bench.get_ready()
    bench.kill_server()
    wait_without_cell(bench, 2.0)
    bench.restart_server()
    bench.run(0.3)
    assert (None, "It is without power. Take control, and switch it on.") in bench.people.notes
    text = get_text(bench, ControlPanel)
    assert ">off<" in text
    assert ">nobody<" in text
    assert "the cell was restarted" in get_events(bench)
    assert "silent" not in get_text(bench, LoopPanel)


def test_a_restarted_cell_can_be_driven_again(bench: Bench):
    bench.get_ready()
    slide(bench, -30.0)
    bench.run(0.3)
    bench.kill_server()
    wait_without_cell(bench, 2.0)
    bench.restart_server()
    bench.run(0.5)
    assert get_waist_deg(bench) == 0.0, "what was under way is gone"
    bench.press("Take control", "Power on")
    slide(bench, -30.0)
    bench.run(5.0)
    assert round(get_waist_deg(bench), 2) == -30.0


def test_a_cell_that_restarts_at_once_is_noticed_too(bench: Bench):
    bench.get_ready()
    bench.kill_server()
    bench.restart_server()
    bench.run(0.3)
    assert "the cell was restarted" in get_events(bench)
