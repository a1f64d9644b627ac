"""Random mutations of correct cell, model, MJCF and URDF files: each must load or raise a TelecellError, soon.

    python fuzz/fuzz_cell_files.py --runs 20000 [--seed 1]

Every batch runs in a process of its own, so that a crash inside MuJoCo is found as well. The first file tree that
misbehaves is kept in `fuzz/failures`, and the exit code is 1. A run is repeated by its seed.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from telecell.errors import TelecellError
from telecell.models import compile_world, load_cell

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "models"))

from cell_samples import CELL, FILES  # noqa: E402  # pyright: ignore[reportMissingImports]

FAILURES = Path(__file__).parent / "failures"
BATCH = 500
SECONDS_PER_CASE = 20
TALLY = "tally.txt"

NUMBERS = ("0", "-1", "nan", "inf", "1e308", "-1e-308", "1e40", "99999999999999999999", "0x10", "", "1 2 3 4 5 6 7 8 9")
SNIPPETS = {
    ".toml": ("[", "]", "[[mounts]]\n", '"', "= ", "\n", "name = 1\n", "{", "\\", "'''", "# ", "1979-05-27", "\x00"),
    ".xml": ("<", ">", "/>", '"', "<!--", "-->", "<body>", "</body>", "<freejoint/>", "&amp;", "&#0;", "<geom/>", "é"),
    ".urdf": ("<", ">", "/>", '"', "<!--", "-->", "<link/>", "</link>", "<joint/>", "&lt;", "<mesh/>", "]]>", "\x00"),
    ".obj": ("v 1 2\n", "f 0 0 0\n", "f 1 2 99\n", "nan", "\n"),
}


def mutate(text: str, suffix: str, chance: random.Random) -> str:
    """A text with a few things wrong."""
    for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
        text = chance.choice(MUTATIONS)(text, suffix, chance)
    return text


def cut(text: str, _: str, chance: random.Random) -> str:
    start = chance.randrange(len(text) + 1)
    return text[:start] + text[start + chance.choice((1, 1, 3, 10, 100)) :]


def insert(text: str, suffix: str, chance: random.Random) -> str:
    place = chance.randrange(len(text) + 1)
    return text[:place] + chance.choice(SNIPPETS[suffix]) + text[place:]


def change_number(text: str, _: str, chance: random.Random) -> str:
    numbers = list(re.finditer(r"-?\d+(\.\d+)?", text))
    if not numbers:
        return text
    found = chance.choice(numbers)
    return text[: found.start()] + chance.choice(NUMBERS) + text[found.end() :]


def exchange_words(text: str, _: str, chance: random.Random) -> str:
    words = list(re.finditer(r"\w+", text))
    if len(words) < 2:
        return text
    first, second = sorted(chance.sample(words, 2), key=lambda word: word.start())
    between = text[first.end() : second.start()]
    return text[: first.start()] + second[0] + between + first[0] + text[second.end() :]


def repeat_line(text: str, _: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    return "".join(lines)


def drop_line(text: str, _: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    del lines[chance.randrange(len(lines))]
    return "".join(lines)


MUTATIONS = (cut, insert, change_number, change_number, exchange_words, repeat_line, drop_line)


def read_samples() -> dict[str, str]:
    """The sample of the tests, with the PUMA of the catalog beside it."""
    puma = ROOT / "src" / "telecell" / "models" / "data" / "robots" / "puma560"
    samples = {f"puma/{name}": (puma / name).read_text() for name in ("model.toml", "puma560.xml")}
    return FILES | samples | {"cell.toml": CELL + '\n[[mounts]]\nname = "puma"\nmodel = "./puma"\nxyz_m = [0, 3, 0]\n'}


def write_case(folder: Path, samples: dict[str, str], number: int, seed: int) -> None:
    """The sample with one file mutated."""
    chance = random.Random(f"{seed} {number}")
    victim = chance.choice(sorted(samples))
    for name, text in samples.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        changed = mutate(text, path.suffix, chance) if name == victim else text
        path.write_text(changed, newline="")


def work(folder: Path, seed: int, first: int, count: int) -> None:
    """Try a batch; the case under way is always on disk, for whoever finds this process dead."""
    samples = read_samples()
    tally: Counter[str] = Counter()
    slowest = 0.0
    for number in range(first, first + count):
        case = folder / f"case{number}"  # a new place each time: MuJoCo remembers meshes by their path
        write_case(case, samples, number, seed)
        signal.alarm(SECONDS_PER_CASE)
        began = time.perf_counter()
        try:
            compile_world(load_cell(case / "cell.toml"))
            tally["loaded"] += 1
        except TelecellError:
            tally["refused"] += 1
        slowest = max(slowest, time.perf_counter() - began)
        signal.alarm(0)
        shutil.rmtree(case)
    (folder / TALLY).write_text(f"{tally['loaded']} {tally['refused']} {slowest}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", nargs=3, metavar=("FOLDER", "FIRST", "COUNT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        folder, first, count = options.work
        work(Path(folder), options.seed, int(first), int(count))
        return 0
    loaded = refused = 0
    slowest = 0.0
    for first in range(0, options.runs, BATCH):
        count = min(BATCH, options.runs - first)
        with tempfile.TemporaryDirectory() as scratch:
            command = [sys.executable, __file__, "--seed", str(options.seed), "--work", scratch, str(first), str(count)]
            result = subprocess.run(command, capture_output=True, text=True, cwd=scratch, check=False)
            if result.returncode != 0:
                return report(Path(scratch), result, options.seed)
            batch = (Path(scratch) / TALLY).read_text().split()
        loaded, refused, slowest = loaded + int(batch[0]), refused + int(batch[1]), max(slowest, float(batch[2]))
    print(f"{options.runs} runs, {loaded} loaded, {refused} refused, 0 unexpected, slowest {slowest:.2f} s")
    return 0


def report(scratch: Path, result: subprocess.CompletedProcess[str], seed: int) -> int:
    kept = FAILURES / time.strftime("%Y%m%d-%H%M%S")
    shutil.copytree(next(scratch.glob("case*")), kept)
    reason = result.stderr.strip().splitlines()
    print("\n".join(reason[-20:]), file=sys.stderr)
    what = "crashed or hung" if result.returncode < 0 else "raised"
    print(f"unexpected: {what} (exit {result.returncode}), seed {seed}, input kept in {kept}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
