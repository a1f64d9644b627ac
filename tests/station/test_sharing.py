"""Who may command, from the page: taken, waited for, handed over, taken back, and lost with its people."""

import pytest

from telecell.client.session import Session
from telecell.messages.granting import Acquire
from telecell.messages.replies import Granted, Waiting
from telecell.station.panels import ControlPanel, RobotPanel, SharingPanel, ToolsPanel
from telecell.station.panels.sharing import CONFIRM_S, HAND_OVER, NOBODY_WAITS, TAKE_BACK

from .page_bench import CLIENT, OTHER, Bench, get_events, get_text, get_waist_deg, move_by, slide


@pytest.fixture
def ann(bench: Bench) -> Session:
    """Somebody with a program."""
    session = bench.connect("calls", "program")
    session.start()
    return session


def take(session: Session) -> None:
    session.control.take("ann", [], wait_s=0.0, attended=False, priority=0)


def ask(session: Session) -> Granted | Waiting:
    """Ask for everything, and for a place in the queue where it is not free."""
    return session.ask(Acquire, holder="ann", axes=(), wait=True)


def choose(bench: Bench, robot: str, scope: str = "the chosen robot") -> None:
    bench.get_panel(RobotPanel).choose(robot)
    bench.get_panel(ControlPanel).choose_scope(scope)


def get_holder(bench: Bench, robot: str = "FL") -> str | None:
    return next(state.holder for state in bench.running.state().robots if state.name == robot)


# Taking and giving back


def test_control_is_taken_of_the_chosen_robot_alone(bench: Bench):
    bench.run(0.2)
    choose(bench, "FR · FULL RIGHT ARM")
    bench.press("Take control")
    assert (get_holder(bench, "FR"), get_holder(bench, "FL")) == ("station", None)
    assert "station, the page of a station" in get_text(bench, SharingPanel)
    assert ">FR<" in get_text(bench, SharingPanel)


def test_each_robot_is_commanded_with_its_own_grant(bench: Bench):
    bench.run(0.2)
    for robot in ("FL · FULL LEFT ARM", "FR · FULL RIGHT ARM"):
        choose(bench, robot)
        bench.press("Take control", "Power on")
    modes = {robot.name: robot.mode for robot in bench.running.state().robots}
    assert (modes["FL"], modes["FR"]) == ("holding", "holding")
    for tool in bench.running.cell.tools:
        bench.get_panel(ToolsPanel).operate(tool, "Close", CLIENT)
    bench.run(0.2)
    assert [tool.opening_desired for tool in bench.running.state().tools] == [0.0, 0.0]
    assert bench.people.notes == []


def test_release_gives_back_the_chosen_robot_only(bench: Bench):
    bench.run(0.2)
    for robot in ("FL · FULL LEFT ARM", "FR · FULL RIGHT ARM"):
        choose(bench, robot)
        bench.press("Take control")
    bench.press("Release")
    assert (get_holder(bench, "FL"), get_holder(bench, "FR")) == ("station", None)


def test_reset_leaves_robots_alone_that_the_page_does_not_have(bench: Bench):
    bench.run(0.2)
    choose(bench, "FL · FULL LEFT ARM")
    bench.press("Take control", "Power on")
    bench.page.commander.press_stop()
    bench.run(0.5)
    choose(bench, "FR · FULL RIGHT ARM")
    bench.press("Reset")
    assert bench.get_mode() == "stopped"
    assert "Take control first" in bench.people.notes[-1][1]


def test_nothing_is_asked_for_twice(bench: Bench):
    bench.get_ready()
    bench.press("Take control", "Take control")
    assert len(bench.running.state().grants) == 1
    assert bench.people.notes == []


def test_a_scope_that_does_not_exist_changes_nothing(bench: Bench):
    bench.run(0.2)
    bench.get_panel(ControlPanel).choose_scope("the universe")
    bench.press("Take control")
    assert (get_holder(bench, "FL"), get_holder(bench, "FR")) == ("station", "station")


def test_what_somebody_else_has_is_refused_with_the_way_out(bench: Bench, ann: Session):
    take(ann)
    bench.run(0.2)
    bench.press("Take control")
    assert bench.people.notes == [
        (
            CLIENT,
            "holder ann: somebody else has control, got 'station'. Wait for it, ask for a hand-over, or have a "
            "supervisor take it back.",
        )
    ]


# The queue


def test_the_page_waits_with_its_place_and_gets_control_when_its_turn_has_come(bench: Bench, ann: Session):
    take(ann)
    bench.run(0.2)
    bench.press("Ask")
    for _ in range(5):
        bench.run(0.4)
        ann.poll()
        assert "Our place in the queue" in get_text(bench, ControlPanel)
        assert bench.running.state().waiting == ("station",), "it keeps its place by asking again"
    ann.control.release()
    bench.run(0.5)
    assert get_holder(bench) == "station"
    assert "Our place in the queue" not in get_text(bench, ControlPanel)
    assert "station waits for control: holder ann" in get_events(bench)


def test_release_ends_the_waiting(bench: Bench, ann: Session):
    take(ann)
    bench.run(0.2)
    bench.press("Ask", "Release")
    for _ in range(4):
        bench.run(0.4)
        ann.poll()
    assert bench.running.state().waiting == ()
    assert bench.people.notes == []


def test_control_that_comes_after_a_change_of_mind_is_given_back(bench: Bench):
    bench.run(0.2)
    bench.page.sharing.wait((), CLIENT)
    bench.page.step(bench.clock.now())
    bench.page.sharing.release((), CLIENT)
    bench.run(0.2)
    assert get_holder(bench) is None
    assert "control was given back by station" in get_events(bench)


def test_a_person_who_leaves_waits_no_longer(bench: Bench, ann: Session):
    take(ann)
    bench.run(0.2)
    bench.press("Ask")
    bench.people.here.discard(CLIENT)
    for _ in range(4):
        bench.run(0.4)
        ann.poll()
    assert bench.running.state().waiting == ()


# Hand-over and take-back


def test_control_is_handed_over_to_somebody_who_waits(bench: Bench, ann: Session):
    panel = bench.get_panel(SharingPanel)
    bench.get_ready()
    move_by(bench, -60.0)
    bench.run(0.3)
    assert isinstance(ask(ann), Waiting)
    bench.run(0.3)
    assert panel.next.options == ("ann",)
    assert "ann waits" in get_text(bench, SharingPanel)
    panel.press(HAND_OVER, CLIENT)
    bench.run(0.6)
    assert isinstance(ask(ann), Granted)
    bench.run(0.3)
    assert get_holder(bench) == "ann"
    assert bench.get_mode() == "stopped"
    assert panel.next.options == (NOBODY_WAITS,)
    assert "control was handed over by station to ann" in get_events(bench)


def test_a_hand_over_to_nobody_is_refused(bench: Bench):
    bench.get_ready()
    bench.get_panel(SharingPanel).press(HAND_OVER, CLIENT)
    bench.run(0.2)
    assert NOBODY_WAITS in bench.people.notes[-1][1]
    assert get_holder(bench) == "station"


def test_control_is_taken_back_by_the_second_press_of_a_person_with_a_name(bench: Bench, ann: Session):
    panel = bench.get_panel(SharingPanel)
    take(ann)
    bench.run(0.2)
    panel.author.value, panel.reason.value = "eve", "lunch"
    panel.press(TAKE_BACK, CLIENT)
    bench.run(0.2)
    assert "Press again" in bench.people.notes[-1][1]
    assert get_holder(bench) == "ann"
    panel.press(TAKE_BACK, CLIENT)
    bench.run(0.5)
    assert get_holder(bench) == "station"
    assert "control of ann was taken back by eve: lunch" in get_events(bench)


def test_two_people_who_press_once_each_take_nothing_back(bench: Bench, ann: Session):
    panel = bench.get_panel(SharingPanel)
    take(ann)
    bench.run(0.2)
    panel.author.value = "eve"
    panel.press(TAKE_BACK, CLIENT)
    panel.press(TAKE_BACK, OTHER)
    bench.run(0.2)
    assert get_holder(bench) == "ann"


def test_a_second_press_that_comes_late_counts_as_the_first(bench: Bench):
    panel = bench.get_panel(SharingPanel)
    panel.author.value = "eve"
    panel.press(TAKE_BACK, CLIENT)
    bench.clock.advance(CONFIRM_S + 0.1)
    panel.press(TAKE_BACK, CLIENT)
    assert [text.count("Press again") for _, text in bench.people.notes] == [1, 1]


def test_without_a_name_nothing_is_taken_back(bench: Bench, ann: Session):
    panel = bench.get_panel(SharingPanel)
    take(ann)
    bench.run(0.2)
    for _ in range(2):
        panel.press(TAKE_BACK, CLIENT)
    bench.run(0.2)
    assert get_holder(bench) == "ann"
    assert "needs a name" in bench.people.notes[-1][1]


# The sign of life


def test_control_lasts_as_long_as_its_person_has_the_page_open(bench: Bench):
    bench.get_ready()
    bench.run(5.0)
    assert get_holder(bench) == "station"
    bench.people.here.discard(CLIENT)
    bench.run(1.5)
    assert get_holder(bench) is None
    assert "station has lost control: no renewal for" in get_events(bench)


def test_queued_motion_stops_when_its_person_closes_the_page(bench: Bench):
    bench.get_ready()
    move_by(bench, -90.0)
    bench.run(0.3)
    assert bench.get_mode() == "moving"
    bench.people.here.discard(CLIENT)
    bench.run(0.8)
    assert bench.get_mode() == "stopped"
    assert get_holder(bench) == "station", "the lease outlives the motion"
    assert get_waist_deg(bench) > -89.0


def test_queued_motion_goes_on_while_its_person_is_there(bench: Bench):
    bench.get_ready()
    move_by(bench, -90.0)
    bench.run(8.0)
    assert get_waist_deg(bench) == pytest.approx(-90.0, abs=0.01)


def test_motion_stops_with_who_commanded_it_and_control_stays_with_who_remains(bench: Bench):
    bench.get_ready()
    move_by(bench, -90.0, client=OTHER)
    bench.run(0.3)
    bench.people.here.discard(OTHER)
    bench.run(2.0)
    assert bench.get_mode() == "stopped"
    assert get_holder(bench) == "station"
    bench.press("Reset")
    assert bench.get_mode() == "holding"


def test_a_person_who_only_watches_keeps_no_control(bench: Bench):
    bench.get_ready()
    bench.people.here = {OTHER}
    bench.run(1.5)
    assert get_holder(bench) is None


def test_a_person_who_takes_part_keeps_control(bench: Bench):
    bench.get_ready()
    bench.press("Take control", client=OTHER)
    bench.people.here = {OTHER}
    bench.run(2.0)
    assert get_holder(bench) == "station"


def test_a_refused_command_makes_nobody_a_driver(bench: Bench):
    bench.get_ready()
    slide(bench, -30.0)
    bench.run(0.2)
    move_by(bench, -10.0, client=OTHER)
    bench.people.here = {OTHER}
    bench.run(2.0)
    assert get_holder(bench) is None
