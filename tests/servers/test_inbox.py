import threading

from telecell.servers.inbox import MAX_REFUSED, Inbox


def test_items_are_taken_in_order_and_in_portions():
    inbox = Inbox[int](10)
    for item in range(5):
        inbox.put(item)
    assert inbox.take(3) == [0, 1, 2]
    assert inbox.take(3) == [3, 4]
    assert inbox.take(3) == []


def test_what_finds_no_room_is_kept_apart_and_what_is_beyond_that_is_counted():
    inbox = Inbox[int](2)
    for item in range(2 + MAX_REFUSED + 3):
        inbox.put(item)
    assert inbox.take(100) == [0, 1]
    assert inbox.take_refused() == list(range(2, 2 + MAX_REFUSED))
    assert inbox.take_refused() == []
    assert inbox.dropped == 3


def test_whoever_waits_is_woken_up_by_another_thread():
    inbox = Inbox[str](2)
    threading.Timer(0.0, inbox.put, ["hello"]).start()
    inbox.wait(60.0)
    assert inbox.take(1) == ["hello"]


def test_threads_lose_nothing():
    inbox = Inbox[int](100_000)
    threads = [threading.Thread(target=lambda: [inbox.put(item) for item in range(2000)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(inbox.take(100_000)) == sorted(4 * list(range(2000)))
