from telecell.control.changes import CHANGES
from telecell.control.sources import SOURCES
from telecell.control.stops import STOPS
from telecell.messages import EVENT_KINDS, AnyEvent, events
from telecell.station.wording import describe_event, get_source_title, get_stop_remedy, get_stop_title


def change_grant(change: str, reason: str) -> events.GrantChanged:
    return events.GrantChanged(number=1, tick=1, change=change, holder="ann", axes=("waist",), reason=reason, tenure=3)


GRANTS = {
    change_grant("acquired", "asked for by ann"): "ann has control",
    change_grant("queued", "somebody else has control"): "ann waits for control: somebody else has control",
    change_grant("left", "did not ask again"): "ann waits no longer: did not ask again",
    change_grant("split", "split from grant 2 by ann"): "control of ann: split from grant 2 by ann",
    change_grant("merged", "merged from grant 1, 2 by ann"): "control of ann: merged from grant 1, 2 by ann",
    change_grant("released", "given back by ann"): "control was given back by ann",
    change_grant("handed_over", "handed over by ann to bob"): "control was handed over by ann to bob",
    change_grant("taken_back", "taken back by eve: lunch"): "control of ann was taken back by eve: lunch",
    change_grant("expired", "no renewal for 1 s"): "ann has lost control: no renewal for 1 s",
    change_grant("idle", "no command for 30 s"): "ann has lost control: no command for 30 s",
    change_grant("overdue", "held for 600 s"): "ann has lost control: held for 600 s",
}

EVENTS: dict[AnyEvent, str | None] = {
    change_grant("acquired", "asked for by ann"): "ann has control",
    events.PowerChanged(number=1, tick=1, robot="FL", on=True): "FL: power on",
    events.SegmentStarted(number=1, tick=1, robot="FL", segment=3): None,
    events.SegmentEnded(number=1, tick=1, robot="FL", segment=3, outcome="halted"): "FL: motion 3 was halted",
    events.StreamEnded(number=1, tick=1, robot="FL", outcome="arrived"): "FL: slider motion arrived",
    events.ModeChanged(number=1, tick=1, robot="FL", mode="off", before="holding"): None,
    events.Stopped(
        number=1, tick=1, cause="guard_door", category=1, axes=(), reason="signal door (guard door closed)"
    ): "stopped, a guard door was opened: signal door (guard door closed)",
    events.StoppedAxesReset(number=1, tick=1, axes=()): "reset, robots may move again",
    events.SignalChanged(number=1, tick=1, name="valve", value=False): "signal valve off",
    events.PosesChanged(number=1, tick=1, robot="FL", pose="corner", deleted=True): "FL: pose corner deleted",
    events.CommandRefused(number=1, tick=1, operation="home", reason="no"): None,
    events.Warned(number=1, tick=1, reason="the disk is full"): "the disk is full",
}


def test_events_are_told_in_plain_words():
    assert {event: describe_event(event) for event in EVENTS} == EVENTS
    assert {event.__struct_config__.tag for event in EVENTS} == set(EVENT_KINDS)


def test_every_change_of_a_grant_is_told_with_its_reason():
    assert {event: describe_event(event) for event in GRANTS} == GRANTS
    assert {event.change for event in GRANTS} == set(CHANGES)


def test_every_source_has_words():
    assert {source: get_source_title(source) for source in SOURCES} == {
        source: row.title for source, row in SOURCES.items()
    }


def test_what_a_newer_cell_says_is_told_at_least():
    assert describe_event(change_grant("lent", "to bob")) == "control of ann has changed: to bob"
    assert get_source_title("telepathy") == "telepathy"


def test_every_stop_has_words_and_a_way_out():
    assert {cause: (get_stop_title(cause), get_stop_remedy(cause)) for cause in STOPS} == {
        cause: (row.title, row.cleared_by) for cause, row in STOPS.items()
    }


def test_a_stop_of_a_newer_cell_is_named_at_least():
    assert (get_stop_title("earthquake"), get_stop_remedy("earthquake")) == ("earthquake", "reset")
