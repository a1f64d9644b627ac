from telecell.control.stops import STOPS
from telecell.messages import EVENT_KINDS, AnyEvent, events
from telecell.station.wording import describe_event, get_stop_remedy, get_stop_title

EVENTS: dict[AnyEvent, str | None] = {
    events.ControlChanged(number=1, tick=1, holder="station"): "station has control",
    events.ControlChanged(number=1, tick=1, holder=None): "nobody has control",
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


def test_every_stop_has_words_and_a_way_out():
    assert {cause: (get_stop_title(cause), get_stop_remedy(cause)) for cause in STOPS} == {
        cause: (row.title, row.cleared_by) for cause, row in STOPS.items()
    }


def test_a_stop_of_a_newer_cell_is_named_at_least():
    assert (get_stop_title("earthquake"), get_stop_remedy("earthquake")) == ("earthquake", "reset")
