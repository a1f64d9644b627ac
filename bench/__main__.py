"""Run every benchmark: `python -m bench`."""

from bench import bench_inverse, bench_period, bench_plant, bench_start

for module in (bench_inverse, bench_period, bench_plant, bench_start):
    module.main()
