"""Telecell: a telerobotics workbench in Python."""

__version__ = "0.1.0"
