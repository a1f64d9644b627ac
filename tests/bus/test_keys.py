import pytest
from hypothesis import given
from hypothesis import strategies as st

from telecell.bus import KEYS, Keys, Kind, Presence, alive_pattern, parse_alive, validate_name
from telecell.bus.keys import PARTS, matches
from telecell.errors import InputError, UnknownName

PUMA = Keys("local", "puma")
names = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}", fullmatch=True)
identities = st.from_regex(r"[A-Za-z0-9_.:-]{1,80}", fullmatch=True)


def test_the_table_and_the_keys_agree():
    examples = {"<site>": "local", "<cell>": "puma", "<sender>": "s1", "<hash>": "ff", "<part>": "server"}
    arguments = {"replies": ("s1",), "model": ("ff",), "alive": ("server", "i1")}
    for row in KEYS:
        key = row.pattern.replace("<identity>", "i1")
        for variable, value in examples.items():
            key = key.replace(variable, value)
        member = getattr(PUMA, row.name)
        assert key == (member(*arguments[row.name]) if callable(member) else member)


def test_the_table_has_every_key():
    members = {name for name in dir(Keys) if not name.startswith("_")} - {"site", "cell"}
    assert members == {row.name for row in KEYS}
    assert {kind for row in KEYS for kind in row.kinds} == set(Kind)


def test_keys_begin_with_site_and_cell():
    assert Keys("lab-2", "cirsse").state == "telecell/lab-2/cirsse/state"


def test_a_presence_can_be_read_from_its_key():
    assert parse_alive(PUMA.alive("station", "host:4711")) == Presence("local", "puma", "station", "host:4711")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (alive_pattern("server"), True),
        (alive_pattern(), True),
        (alive_pattern("server", site="local", cell="puma"), True),
        (alive_pattern("worker"), False),
        (alive_pattern(cell="ed1"), False),
    ],
)
def test_patterns_find_the_presence_of_processes(pattern, expected):
    assert matches(pattern, PUMA.alive("server", "x")) is expected


@pytest.mark.parametrize("name", ["", "a/b", "a b", "*", "ü", "a" * 65, ".b", "-b", "a\n"])
def test_a_name_that_cannot_be_part_of_a_key_is_refused(name):
    with pytest.raises(InputError, match=r"not a name for a cell on the bus, got .* limit 1 to 64 letters"):
        Keys("local", name)
    with pytest.raises(InputError, match="site"):
        validate_name("site", name)


@pytest.mark.parametrize("identity", ["", "a/b", "*", "@x", "a" * 81])
def test_an_identity_that_cannot_be_part_of_a_key_is_refused(identity):
    with pytest.raises(InputError, match="not a sender"):
        PUMA.replies(identity)
    with pytest.raises(InputError, match="not a hash"):
        PUMA.model(identity)
    with pytest.raises(InputError, match="not an identity"):
        PUMA.alive("client", identity)


def test_an_unknown_part_is_refused_with_the_known_ones():
    with pytest.raises(UnknownName, match="server, station, worker"):
        PUMA.alive("servant", "x")


@given(names, names, st.sampled_from(PARTS), identities)
def test_every_presence_survives_its_key(site, cell, part, identity):
    assert parse_alive(Keys(site, cell).alive(part, identity)) == (site, cell, part, identity)


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(["telecell", "local", "puma", "alive", "server", "x", "*", "", "é"]), max_size=8).map(
        "/".join
    )
)
def test_any_text_is_a_presence_that_gives_the_same_key_or_an_error_of_ours(key):
    try:
        presence = parse_alive(key)
    except InputError:
        return
    assert Keys(presence.site, presence.cell).alive(presence.part, presence.identity) == key


@given(st.lists(names, min_size=1, max_size=5), st.data())
def test_a_pattern_with_any_parts_replaced_by_stars_matches(chunks, data):
    stars = data.draw(st.lists(st.booleans(), min_size=len(chunks), max_size=len(chunks)))
    pattern = "/".join("*" if star else chunk for star, chunk in zip(stars, chunks, strict=True))
    assert matches(pattern, "/".join(chunks))
    assert not matches(pattern, "/".join([*chunks, "more"]))
