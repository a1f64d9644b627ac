import msgspec
import pytest

from telecell.bus import Presence, alive_pattern, parse_alive
from telecell.messages import AnyReply, Placement, Query, Refused
from telecell.messages.moves import MoveJointsBy
from telecell.messages.queries import Describe, Hello, ReadSignals, SolveForward, SolveInverse, Subscribe, Where
from telecell.messages.replies import Described, Located
from telecell.messages.settings import DefineToolFrame, DefineUserFrame, SavePose, SetConfiguration, SetSignal, SetTool
from telecell.models import Cell, load_cell
from telecell.models.archive import INDEX, ArchiveIndex, join_archive, unpack_cell
from telecell.servers.inbox import MAX_REFUSED
from telecell.servers.worker import LONGEST_SILENCE_S, MAX_WAITING, PORTION, Worker

from .desk import PUMA, Desk, decode

CIRSSE = load_cell("cirsse")
JOINTS = (0.1, -0.8, 2.2, 0.3, 0.4, -0.5)


def ask(desk: Desk, worker: Worker, payload: bytes) -> AnyReply:
    answers: list[bytes | None] = []
    desk.bus.ask(desk.keys.ask, payload, answers.append, 1.0)
    worker.work(0.0)
    (answer,) = answers
    assert answer is not None
    return decode(answer, AnyReply)


def ask_cell(desk: Desk, payload: bytes) -> AnyReply | None:
    """The cell's own answer: at the beginning of the next tick it is where it was at the end of this one."""
    desk.put(payload)
    desk.tick()
    return desk.replies[-1]


def start_worker(desk: Desk, cell: Cell = PUMA) -> Worker:
    worker = Worker(cell, desk.join(), desk.keys, desk.clock)
    worker.start()
    return worker


@pytest.fixture(scope="module")
def busy_desk() -> tuple[Desk, Worker]:
    """A puma with everything set that can be set, in the middle of a motion."""
    desk = Desk()
    worker = start_worker(desk)
    desk.get_ready()
    desk.ask(DefineToolFrame, robot="puma", offset=Placement((0.01, 0.02, 0.1), (0.5, 0.5, 0.5, 0.5)))
    desk.ask(DefineUserFrame, name="bench", origin_m=(0.4, 0.1, 0.3), on_x_m=(1.0, 0.3, 0.3), towards_y_m=(0.3, 1, 0.4))
    desk.ask(SavePose, robot="puma", name="mine", joints=JOINTS)
    desk.ask(SetConfiguration, robot="puma", branch={"elbow": "above"})
    desk.ask(SetTool, tool="jaw/fingers", opening=0.3)
    for signal in desk.running.cell.outputs:
        desk.ask(SetSignal, name=signal.name, value=not signal.normal)
    desk.ask(MoveJointsBy, robot="puma", increments=(0.5, 0.1, 0, 0, 0.2, 0))
    assert desk.tick(50).robots[0].mode == "moving"
    return desk, worker


QUESTIONS = [
    Describe(sequence=1),
    Where(sequence=2, robot="puma"),
    SolveForward(sequence=3, robot="puma", joints=JOINTS),
    SolveInverse(sequence=4, robot="puma", target=Placement((0.4, 0.2, 0.3))),
    SolveInverse(sequence=5, robot="puma", target=Placement((0.1, 0.0, 0.1)), frame="bench", reference=JOINTS),
    ReadSignals(sequence=6),
    Where(sequence=7, robot="pumma"),
    ReadSignals(sequence=8, names=("no_such",)),
    SolveForward(sequence=9, robot="puma", joints=(9.0,)),
]


@pytest.mark.parametrize("query", QUESTIONS, ids=lambda query: f"{type(query).__name__}-{query.sequence}")
def test_the_worker_answers_as_the_cell_itself_would(busy_desk: tuple[Desk, Worker], query: Query):
    desk, worker = busy_desk
    payload = msgspec.json.encode(query)
    assert ask(desk, worker, payload) == ask_cell(desk, payload)


@pytest.mark.parametrize("robot", ["FL", "PR"])
def test_the_worker_of_a_cell_with_many_robots_answers_as_the_cell_itself_would(robot: str):
    desk = Desk(CIRSSE)
    worker = start_worker(desk, CIRSSE)
    desk.tick(2)
    for query in (Describe(sequence=1), Where(sequence=2, robot=robot), ReadSignals(sequence=3)):
        payload = msgspec.json.encode(query)
        assert ask(desk, worker, payload) == ask_cell(desk, payload)


def test_a_worker_that_comes_late_knows_what_was_set_before():
    desk = Desk()
    desk.get_ready()
    desk.ask(SavePose, robot="puma", name="mine", joints=JOINTS)
    worker = start_worker(desk)
    desk.tick()
    described = ask(desk, worker, desk.build(Describe))
    assert isinstance(described, Described)
    assert described.robots[0].poses["mine"] == pytest.approx(JOINTS, abs=1e-8)  # as it is written to the file


def test_an_answer_is_never_from_before_a_reply_that_the_asker_has():
    desk = Desk()
    worker = start_worker(desk)
    desk.get_ready()
    desk.ask(DefineToolFrame, robot="puma", offset=Placement((0.0, 0.0, 0.1)))
    located = ask(desk, worker, desk.build(Where, robot="puma"))
    assert isinstance(located, Located)
    assert located.tick == desk.running.tick
    assert located.frames["tool"] != located.frames["puma/flange"]


def test_what_the_cell_said_long_ago_is_not_passed_on():
    desk = Desk()
    worker = start_worker(desk)
    refused = ask(desk, worker, desk.build(Describe))
    assert isinstance(refused, Refused)
    assert refused.error.kind == "CellUnreachable"
    desk.tick()
    assert isinstance(ask(desk, worker, desk.build(Describe)), Described)
    desk.clock.advance(LONGEST_SILENCE_S + 0.5)
    refused = ask(desk, worker, desk.build(Describe))
    assert isinstance(refused, Refused)
    assert refused.error.text == ("cell puma: the cell is silent, got '1.5 s', limit 1 s. Wait until it is back.")
    desk.tick()
    assert isinstance(ask(desk, worker, desk.build(Describe)), Described)


@pytest.mark.parametrize(
    ("payload", "sequence", "kind"),
    [
        (b"", 0, "MalformedRequestError"),
        (b'{"request": "dance", "sequence": 7}', 7, "MalformedRequestError"),
        (msgspec.json.encode(Hello(sequence=8, version="3.0")), 8, "RequestError"),
        (msgspec.json.encode(Subscribe(sequence=9)), 9, "RequestError"),
    ],
)
def test_what_is_not_for_the_worker_is_refused(payload: bytes, sequence: int, kind: str):
    desk = Desk()
    worker = start_worker(desk)
    desk.tick()
    refused = ask(desk, worker, payload)
    assert isinstance(refused, Refused)
    assert (refused.sequence, refused.error.kind) == (sequence, kind)


def test_a_flood_of_questions_is_refused_and_not_queued_without_end():
    desk = Desk()
    worker = start_worker(desk)
    desk.tick()
    answers: list[bytes | None] = []
    for _ in range(1000):
        desk.bus.ask(desk.keys.ask, desk.build(ReadSignals), answers.append, 1.0)
    worker.work(0.0)
    refused = [answer for answer in answers if b"QueueFull" in (answer or b"")]
    assert (len(answers), len(refused)) == (PORTION + MAX_REFUSED, MAX_REFUSED)
    for _ in range(MAX_WAITING // PORTION):
        worker.work(0.0)
    assert len(answers) == MAX_WAITING + MAX_REFUSED


def test_the_model_of_the_cell_comes_by_its_hash(tmp_path):
    desk = Desk()
    start_worker(desk)
    answers: list[bytes | None] = []
    desk.bus.ask(desk.keys.model(INDEX), b"", answers.append, 1.0)
    index = decode(answers.pop() or b"", ArchiveIndex)
    for name in index.part_names:
        desk.bus.ask(desk.keys.model(name), b"", answers.append, 1.0)
    archive = join_archive([part or b"" for part in answers], index)
    assert load_cell(unpack_cell(archive, tmp_path / "cell")).axes == PUMA.axes


def test_a_worker_shows_that_it_is_there():
    desk = Desk()
    start_worker(desk)
    seen: list[Presence] = []
    desk.bus.watch(alive_pattern("worker"), lambda key, _: seen.append(parse_alive(key)))
    assert [(presence.cell, presence.part) for presence in seen] == [("puma", "worker")]
