"""Run every benchmark: `python -m bench`."""

from bench import bench_bus, bench_inverse, bench_loop, bench_period, bench_plant, bench_start

for module in (bench_inverse, bench_period, bench_plant, bench_start, bench_bus, bench_loop):
    module.main()
