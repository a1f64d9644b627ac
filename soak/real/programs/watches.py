"""Watches a cell, and does nothing else."""

import telecell as tc

if __name__ == "__main__":
    with tc.connect() as cell:
        cell.run(1.0)
        print("watches", flush=True)
        while True:
            cell.run(1.0)
