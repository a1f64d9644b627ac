"""Programs of one major version understand each other."""

import pytest

from telecell.errors import VersionMismatch
from telecell.messages import VERSION, validate_version

MAJOR = VERSION.partition(".")[0]


@pytest.mark.parametrize("version", [VERSION, f"{MAJOR}.99", MAJOR, f"{MAJOR}.0.1"])
def test_the_same_major_version_is_accepted(version: str):
    validate_version(version)


@pytest.mark.parametrize("version", ["", "0.9", "99", f"{MAJOR}1.0", f"v{MAJOR}", "two"])
def test_another_major_version_is_refused_with_both_numbers(version: str):
    with pytest.raises(VersionMismatch) as caught:
        validate_version(version)
    assert (caught.value.value, caught.value.limit) == (version, VERSION)
