"""Forward and inverse kinematics of any serial arm in a compiled MuJoCo model: SI units, radians.

chain = Chain(model, axes=("j1", ..., "j6"), base="shoulder", tip="wrist")
solver = InverseSolver(chain)
result = solver.solve(chain.forward(joints), reference=joints, branch={"elbow": "above"})
result.best.joints
"""

from telecell.kinematics.branches import BRANCH_NAMES
from telecell.kinematics.chain import WORLD, Chain
from telecell.kinematics.inverse import InverseSolver
from telecell.kinematics.solution import InverseResult, Solution

__all__ = ["BRANCH_NAMES", "WORLD", "Chain", "InverseResult", "InverseSolver", "Solution"]
