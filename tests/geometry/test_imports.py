import subprocess
import sys

import telecell.geometry

REPORT = """
import sys, telecell.geometry
print(*sorted({"mujoco", "mink", "scipy", "msgspec"} & set(sys.modules)))
"""


def test_geometry_needs_numpy_only():
    loaded = subprocess.run([sys.executable, "-c", REPORT], capture_output=True, text=True, check=True).stdout
    assert loaded.split() == []


def test_every_exported_name_exists():
    assert all(hasattr(telecell.geometry, name) for name in telecell.geometry.__all__)
