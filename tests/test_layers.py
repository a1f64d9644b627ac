"""Imports point down the table of docs/design.md, and each library has its own place."""

import ast
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "telecell"
DESIGN = Path(__file__).parents[1] / "docs" / "design.md"


def read_table() -> tuple[dict[str, int], dict[str, set[str]]]:
    """Row and allowed third-party libraries of each package, from the table in the design document."""
    rows: dict[str, int] = {}
    libraries: dict[str, set[str]] = {}
    for line in DESIGN.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not (line.startswith("|") and len(cells) == 3 and cells[0].isdecimal()):
            continue
        for package in cells[1].replace("`", "").split():
            rows[package] = int(cells[0])
            libraries[package] = set()
        for entry in filter(None, (part.strip() for part in cells[2].split(";"))):
            packages, _, names = entry.partition(":")
            owners = packages.replace("`", "").split() if names else cells[1].replace("`", "").split()
            for owner in owners:
                libraries[owner] |= {name.strip().lower() for name in (names or packages).split(",")}
    return rows, libraries


ROWS, LIBRARIES = read_table()
EVERYWHERE = {"numpy", "msgspec"}
MODULE_NAMES = {"pil": "pillow"}


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> set[str]:
    """Every module imported anywhere in the file, late imports included."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            modules.add(node.module or "")
    return modules


FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def test_the_table_was_read():
    assert ROWS["errors"] == 0
    assert ROWS["cli"] == 10
    assert "viser" in LIBRARIES["station"]


def test_every_package_has_a_row():
    assert {package_of(path) for path in FILES} <= set(ROWS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path: Path):
    own = package_of(path)
    for module in imports_of(path):
        if not module.startswith("telecell"):
            continue
        parts = module.split(".")
        if len(parts) == 1:
            assert own in {"cli", "servers", "station"}, f"{path.name} imports the front door"
            continue
        other = parts[1]
        assert other == own or ROWS[other] < ROWS[own], f"{own} (row {ROWS[own]}) imports {other} (row {ROWS[other]})"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_libraries_stay_in_their_rows(path: Path):
    own = package_of(path)
    allowed = LIBRARIES[own] | (EVERYWHERE if own != "protocols" else set())
    for module in imports_of(path):
        top = module.partition(".")[0].lower()
        if top in ("telecell", "__future__") or top in sys.stdlib_module_names:
            continue
        assert MODULE_NAMES.get(top, top) in allowed, f"{own} imports {top}, allowed: {sorted(allowed)}"


def test_no_two_files_import_each_other():
    """Inside a package the order is free, but never a circle."""
    graph = {
        ".".join(("telecell", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__"): imports_of(
            path
        )
        for path in FILES
    }
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name in done:
            return
        for target in graph.get(name, set()):
            if target in graph and not name.startswith(target + "."):
                visit(target, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())
