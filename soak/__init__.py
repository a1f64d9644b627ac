"""Proof that the controller keeps its promises: an independent observer, hostile senders, and the long runs.

`make soak ROW=A3` runs one row for at most ten minutes; the tests run the same for seconds.
"""
