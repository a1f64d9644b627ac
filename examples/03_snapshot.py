"""Save a running cell in mid-motion, try two futures from the same moment, bit for bit reproducible.

Run it: python examples/03_snapshot.py
"""

import telecell as tc

with tc.open_cell("puma") as cell:
    cell.go_to("puma", "work")
    cell.run(0.8)
    moment = cell.save()

    ends = []
    for pose in ("work", "zero", "work"):
        cell.restore(moment)
        cell.go_to("puma", pose)
        cell.run_until_still()
        ends.append(cell.state())
        print(f"to {pose}: arrived after {ends[-1].time_s:.3f} s")
    print("the same future twice:", ends[0] == ends[2])
