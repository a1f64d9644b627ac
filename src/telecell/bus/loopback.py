"""Where listeners listen unless told otherwise."""

LOOPBACK = "127.0.0.1"
"""This machine, and nobody else."""
