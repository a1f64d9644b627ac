"""Real processes, real faults, and a witness who judges by the cell's own record: for the tests and for long runs."""
