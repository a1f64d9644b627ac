"""The processes of a cell: the supervisor that `telecell up` is, and the cell server that it starts."""
