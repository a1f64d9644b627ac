"""Measurements: every figure with its peer or limit from the same run, one JSON line each."""
