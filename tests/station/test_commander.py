"""Who is told what, and STOP: the commander between people in memory and a real cell server."""

from typing import Any

from telecell.errors import CellUnreachable
from telecell.messages.moves import MoveNamed, Renew
from telecell.messages.replies import Done
from telecell.messages.settings import Power
from telecell.messages.stopping import Pause
from telecell.station.commander import MAX_PENDING

from .page_bench import CLIENT, OTHER, Bench, get_events, move_by


def test_a_refusal_goes_to_who_asked(bench: Bench):
    bench.get_ready()
    bench.page.commander.ask(MoveNamed, OTHER, robot="FL", pose="nowhere")
    bench.page.commander.ask(MoveNamed, None, robot="FL", pose="nowhere else")
    bench.page.commander.ask(Power, CLIENT, robot="FL", on=True)
    bench.run(0.2)
    ((client, text),) = bench.people.notes
    assert client == OTHER
    assert "'nowhere'" in text


def test_the_page_itself_learns_how_it_ended_once(bench: Bench):
    ended: list[tuple[Any, Any]] = []
    bench.get_ready()
    bench.page.commander.ask(Power, None, lambda *how: ended.append(how), robot="FL", on=True)
    bench.page.commander.ask(Pause, None, lambda *how: ended.append(how), robot="HAL")
    bench.run(0.5)
    (reply, no_error), (no_reply, error) = ended
    assert isinstance(reply, Done)
    assert (no_error, no_reply) == (None, None)
    assert "'HAL'" in str(error)


def test_a_cell_that_is_gone_is_a_refusal(bench: Bench):
    ended: list[tuple[Any, Any]] = []
    bench.get_ready()
    bench.kill_server()
    bench.page.commander.ask(Power, CLIENT, lambda *how: ended.append(how), robot="FL", on=False)
    bench.page.step(bench.clock.now())
    ((_, error),) = ended
    assert isinstance(error, CellUnreachable)
    assert bench.people.notes == [(CLIENT, str(error))]


def test_what_cannot_be_sent_is_a_refusal(bench: Bench):
    bench.get_ready()
    bench.page.commander.ask(MoveNamed, CLIENT, robot="FL", pose="ready", speed="fast")
    assert [client for client, _ in bench.people.notes] == [CLIENT]


def test_stop_is_passed_on_once_however_often_it_is_pressed(bench: Bench):
    bench.get_ready()
    move_by(bench, -60.0)
    bench.run(0.5)
    for _ in range(3):
        bench.page.commander.press_stop()
    bench.run(1.0)
    assert bench.get_mode() == "stopped"
    assert get_events(bench).count("pressed by station") == 1


def test_stop_stays_pressed_until_a_cell_has_accepted_it(bench: Bench):
    bench.get_ready()
    bench.kill_server()
    bench.page.commander.press_stop()
    for _ in range(3):
        bench.page.step(bench.clock.now())
    bench.restart_server()
    bench.run(0.2)
    assert "pressed by station" in get_events(bench)


def test_replies_that_never_come_are_not_waited_for_without_end(bench: Bench):
    ended: list[Any] = []
    bench.get_ready()
    bench.kill_server()  # a set-point is a publication: nobody says that it has not arrived
    bench.page.commander.ask(Renew, None, lambda *_: ended.append("late"), robot="FL")
    for _ in range(MAX_PENDING):
        bench.page.commander.ask(Renew, None, lambda *_: ended.append("given up"), robot="FL")
    bench.restart_server()
    bench.run(0.2)
    assert ended == ["given up"] * MAX_PENDING
