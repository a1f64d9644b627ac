"""The processes of a cell: the supervisor that `telecell up` is, the cell server, and the worker beside it."""
