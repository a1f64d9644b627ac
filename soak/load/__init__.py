"""Publications of real size at the real rate, by telecell and by bare zenoh: for row C1 and for the benchmarks."""
