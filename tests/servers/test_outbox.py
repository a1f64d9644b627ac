import msgspec

from telecell.messages import AnyReply, Refused
from telecell.messages.replies import Done, SignalsRead
from telecell.servers.outbox import MAX_BYTES, MAX_WAITING, Outbox


def build_reply(sequence: int, size: int) -> AnyReply:
    return SignalsRead(sequence, {"x" * size: True})


def fill(*replies: AnyReply) -> Outbox:
    outbox = Outbox()
    for reply in replies:
        outbox.put(reply)
    return outbox


def test_replies_stay_until_they_were_sent():
    outbox = fill(Done(1), Done(2), Done(3))
    assert outbox.get_batch() == outbox.get_batch() == (Done(1), Done(2), Done(3))
    outbox.drop(2)
    assert outbox.get_batch() == (Done(3),)


def test_a_batch_ends_where_the_room_ends():
    replies = [build_reply(k, MAX_BYTES // 3) for k in range(5)]
    outbox = fill(*replies)
    assert outbox.get_batch() == tuple(replies[:2])
    outbox.drop(2)
    assert outbox.get_batch() == tuple(replies[2:4])


def test_a_reply_that_could_never_be_sent_becomes_a_refusal_and_blocks_nobody():
    first, second = fill(build_reply(7, MAX_BYTES), Done(8)).get_batch()
    assert isinstance(first, Refused)
    assert first.sequence == 7
    assert first.error.text.startswith("the reply is too long")
    assert second == Done(8)


def test_replies_that_nobody_takes_are_bounded():
    outbox = fill(*(Done(k) for k in range(MAX_WAITING + 10)))
    assert [reply.sequence for reply in outbox.get_batch()] == list(range(10, MAX_WAITING + 10))


def test_the_room_counts_what_is_really_sent():
    batch = fill(*(build_reply(k, 5000) for k in range(100))).get_batch()
    assert MAX_BYTES - 6000 < len(msgspec.json.encode(batch)) < MAX_BYTES + 1000
