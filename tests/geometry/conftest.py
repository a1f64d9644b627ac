"""Poses for property tests, many with square or nearly square angles: that is where formulas break."""

from math import pi

from hypothesis import strategies as st

from telecell.geometry import Pose

SQUARE = [0.0, pi / 2, -pi / 2, pi, -pi]

angles = st.one_of(
    st.floats(-pi, pi),
    st.sampled_from(SQUARE),
    st.builds(lambda square, off: square + off, st.sampled_from(SQUARE), st.floats(-1e-7, 1e-7)),
)
metres = st.floats(-10, 10)

st.register_type_strategy(
    Pose, st.builds(Pose.from_xyz_rpy, st.tuples(metres, metres, metres), st.tuples(angles, angles, angles))
)
