"""Whatever somebody writes, a cell loads or says what is wrong. `fuzz/fuzz_cell_files.py` asks this for longer."""

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telecell.errors import TelecellError
from telecell.models import compile_world, load_cell

from .cell_samples import FILES, write_cell

ROOT = Path(__file__).parents[2]
PIECES = [
    "",
    "nan",
    "-1",
    "0",
    "1e300",
    "[",
    "]]",
    '"',
    "<",
    "/>",
    "</body>",
    "<body>",
    "<link/>",
    "&",
    "\n",
    "\x00",
    "é",
    "=",
]


@st.composite
def changed_files(draw: st.DrawFn) -> dict[str, str]:
    """One file of the sample with a few words or places replaced."""
    name = draw(st.sampled_from(sorted(FILES)))
    text = FILES[name]
    for _ in range(draw(st.integers(1, 4))):
        words = [match.span() for match in re.finditer(r"[\w.]+|\s+|.", text)] or [(0, 0)]
        start, end = draw(st.sampled_from(words))
        other_start, other_end = draw(st.sampled_from(words))
        piece = draw(st.sampled_from([*PIECES, text[other_start:other_end]]))
        text = text[:start] + piece + text[end:]
    return {name: text}


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow])
@given(changes=changed_files())
def test_a_changed_cell_loads_or_says_what_is_wrong(changes: dict[str, str], tmp_path_factory: pytest.TempPathFactory):
    path = write_cell(tmp_path_factory.getbasetemp() / "fuzzed", changes)
    with suppress(TelecellError):
        compile_world(load_cell(path))


@settings(max_examples=60)
@given(
    content=st.binary(max_size=300), name=st.sampled_from(["cell.toml", "arm/model.toml", "arm/arm.xml", "claw.urdf"])
)
def test_garbage_is_refused(content: bytes, name: str, tmp_path_factory: pytest.TempPathFactory):
    path = write_cell(tmp_path_factory.getbasetemp() / "garbage")
    (path.parent / name).write_bytes(content)
    with pytest.raises(TelecellError):
        load_cell(path)


def test_the_long_run_says_what_it_did():
    command = [sys.executable, ROOT / "fuzz" / "fuzz_cell_files.py", "--runs", "40"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert re.fullmatch(r"40 runs, \d+ loaded, \d+ refused, 0 unexpected, slowest \d+\.\d\d s\n", result.stdout), (
        result.stdout
    )
