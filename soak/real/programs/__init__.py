"""Programs as users write them, each run as a process: `python -m soak.real.programs.moves ...`."""
