"""Every mistake in what a cell says is one clear error: file, key or line, value and remedy."""

from pathlib import Path

import pytest

from telecell.errors import UnknownName
from telecell.models import load_cell

from .cell_samples import ARM, CELL, MODEL, change, error_of, load

BLOCK = "xyz_m = [1.5, 0.0, 0.025]"
FRAMES = "choose from: arm/foot, arm/hand, block/centre, block/grasp, claw/left, claw/palm, claw/right, world"
SEE = "See docs/cells.md."
TOOL = '[tools.grip]\ndrive = "servo"\ntip = "hand"\njoints = ["bend"]\nforce_N = 1.0\n'

SIGNAL = """
[[signals]]
name = "door"
direction = "in"
normal = true
role = "guard_door"
"""


def test_the_sample_is_right(tmp_path: Path):
    cell = load(tmp_path, {})
    assert [axis.name for axis in cell.axes] == ["arm/turn", "arm/bend"]
    assert cell.get_tool("claw/hand").joints == ("claw/open_left", "claw/open_right")


MISTAKES = {
    # The shape of the files
    "unknown key": (
        change("cell.toml", 'on = "arm/hand"', 'onto = "arm/hand"'),
        "F/cell.toml, mounts[1].onto: unknown key; choose from: name, model, file, on, xyz_m, rpy_deg, paint, "
        "turn_deg, axes. Did you mean 'on'?",
    ),
    "unknown key of an axis": (
        change("arm/model.toml", "speed_deg_s = 90.0", "speed_deg_s = 90.0\ncolour = 1"),
        "F/arm/model.toml, axes.turn.colour: unknown key; choose from: title, labels, hardware_limits_deg, "
        "hardware_limits_m, software_limits_deg, software_limits_m, speed_deg_s, speed_m_s, acceleration_deg_s2, "
        "acceleration_m_s2, jerk_deg_s3, jerk_m_s3, following_error_deg, following_error_m, torque_Nm, force_N, kp, "
        f"kv, counts_per_rad, counts_per_m, weight. {SEE}",
    ),
    "missing key": (
        change("cell.toml", 'name = "bench"\n', ""),
        f"F/cell.toml: the key 'name' is missing. {SEE}",
    ),
    "wrong type": (
        change("arm/model.toml", "speed_deg_s = 90.0", 'speed_deg_s = "fast"'),
        f"F/arm/model.toml, axes.turn.speed_deg_s: a number is needed, got 'fast'. {SEE}",
    ),
    "wrong length": (
        change("cell.toml", BLOCK, "xyz_m = [1.5, 0.0]"),
        f"F/cell.toml, mounts[2].xyz_m: a list of length 3 is needed, got [1.5, 0.0]. {SEE}",
    ),
    "wrong choice": (
        change("arm/model.toml", 'kind = "robot"', 'kind = "rowboat"'),
        "F/arm/model.toml, kind: not one of the choices, got 'rowboat'; "
        f'choose from: "robot", "tool", "fixture", "part". {SEE}',
    ),
    "future format": (
        change("cell.toml", "format = 1", "format = 2"),
        f"F/cell.toml, format: not one of the choices, got 2; choose from: 1. {SEE}",
    ),
    "bad name": (
        change("cell.toml", "[poses.home]", '[poses."go home"]'),
        f"F/cell.toml, poses: a name of letters, digits, '_', '-' and '.' is needed, got 'go home'. {SEE}",
    ),
    "bad colour": (
        change("cell.toml", BLOCK, 'paint = { wood = "red" }'),
        f"F/cell.toml, mounts[2].paint.wood: a colour '#rrggbb' or '#rrggbbaa' is needed, got 'red'. {SEE}",
    ),
    "TOML syntax": (
        change("cell.toml", 'name = "claw"', "name = claw"),
        "F/cell.toml: not valid TOML: Invalid value (at line 10, column 8). See the examples in docs/cells.md.",
    ),
    "deep lists": (
        {"cell.toml": "a = " + "[" * 3000 + "]" * 3000},
        "F/cell.toml: nested too deeply. Use the tables of docs/cells.md.",
    ),
    "deep tables": (
        {"cell.toml": ".".join(["a"] * 5000) + " = 1.0"},
        "F/cell.toml: nested too deeply. Use the tables of docs/cells.md.",
    ),
    "garbage for TOML": (
        {"cell.toml": "\x00\x01\x02"},
        "F/cell.toml: not valid TOML: Invalid statement (at line 1, column 1). See the examples in docs/cells.md.",
    ),
    # Names
    "two mounts of one name": (
        change("cell.toml", 'name = "claw"', 'name = "arm"'),
        "F/cell.toml, mounts: two mounts of the same name, got 'arm'. Rename one of them.",
    ),
    "two robots of one name": (
        {"cell.toml": CELL + '[[robots]]\nname = "arm"\naxes = ["arm/turn"]\ntip = "arm/hand"\n'},
        "F/cell.toml, robots: two robots of the same name, got 'arm'. Rename one of them.",
    ),
    "two signals of one name": (
        {"cell.toml": CELL + 2 * SIGNAL},
        "F/cell.toml, signals: two signals of the same name, got 'door'. Rename one of them.",
    ),
    "an output that forbids motion": (
        {"cell.toml": CELL + SIGNAL.replace('"in"', '"out"')},
        "F/cell.toml, signals.door.role: only an input can forbid motion, got 'guard_door'. "
        'Delete the role, or say direction = "in".',
    ),
    "unknown role": (
        {"cell.toml": CELL + SIGNAL.replace("guard_door", "gate")},
        "F/cell.toml, signals[0].role: not one of the choices, got 'gate'; "
        f'choose from: "guard_door", "emergency_stop". {SEE}',
    ),
    "a mount called world": (
        change("cell.toml", 'name = "claw"', 'name = "world"'),
        "F/cell.toml, mounts: 'world' is the name of the world itself. Choose another name.",
    ),
    "an axis twice": (
        change("cell.toml", '["arm/*"]', '["arm/*", "arm/turn"]'),
        "F/cell.toml, robots.arm.axes: an axis is named twice, got 'arm/turn'. Name it once.",
    ),
    "unknown frame to stand on": (
        change("cell.toml", 'on = "arm/hand"', 'on = "arm/hnad"'),
        f"F/cell.toml, mounts.claw.on: no frame of that name, got 'arm/hnad'; {FRAMES}. Did you mean 'arm/hand'?",
    ),
    "unknown tip": (
        change("cell.toml", 'tip = "arm/hand"', 'tip = "arm/hands"'),
        f"F/cell.toml, robots.arm.tip: no frame of that name, got 'arm/hands'; {FRAMES}. Did you mean 'arm/hand'?",
    ),
    "unknown axis": (
        change("cell.toml", '["arm/*"]', '["arm/turm"]'),
        "F/cell.toml, robots.arm.axes: no axis of that name, got 'arm/turm'; choose from: arm/bend, arm/turn. "
        "Did you mean 'arm/turn'?",
    ),
    "unknown tool": (
        change("cell.toml", '"claw/hand"', '"claw/fist"'),
        "F/cell.toml, robots.arm.tool: no tool of that name, got 'claw/fist'; choose from: claw/hand",
    ),
    "unknown start": (
        change("cell.toml", 'start = "home"', 'start = "hom"'),
        "F/cell.toml, start: no pose of that name, got 'hom'; choose from: home. Did you mean 'home'?",
    ),
    "unknown body": (
        {"cell.toml": CELL + '[collision]\nexclude = [["arm/bace", "arm/beam"]]\n'},
        "F/cell.toml, collision.exclude: no body of that name, got 'arm/bace'; choose from: arm/base, arm/beam, "
        "arm/column, arm/flange, block/block, claw/left, claw/palm, claw/right, world. Did you mean 'arm/base'?",
    ),
    "unknown material": (
        change("cell.toml", BLOCK, 'paint = { steel = "#ff0000" }'),
        "F/cell.toml, mounts.block.paint: no material of that name, got 'steel'; choose from: wood",
    ),
    "unknown joint": (
        change("arm/model.toml", "[axes.turn]", "[axes.twist]"),
        "F/arm/model.toml, axes.twist: no hinge or slide of that name, got 'twist'; choose from: bend, turn",
    ),
    "unknown site": (
        change("arm/model.toml", "foot = ", "boot = "),
        "F/arm/model.toml, frames: no site or body of that name, got 'boot'; "
        "choose from: base, beam, column, flange, foot, hand. Did you mean 'foot'?",
    ),
    "a change to an unknown axis": (
        change("cell.toml", 'model = "./arm"', 'model = "./arm"\naxes.wrist.weight = 1.0'),
        "F/cell.toml, mounts.arm.axes: no axis of that name, got 'wrist'; choose from: bend, turn",
    ),
    # Numbers
    "not a number": (
        change("cell.toml", BLOCK, "xyz_m = [nan, 0.0, 0.0]"),
        "F/cell.toml, mounts[2].xyz_m[0]: a finite number is needed, got nan. Write the number out.",
    ),
    "infinite speed": (
        change("arm/model.toml", "speed_deg_s = 90.0", "speed_deg_s = inf"),
        "F/arm/model.toml, axes.turn.speed_deg_s: a finite number is needed, got inf. Write the number out.",
    ),
    "not a number in MJCF": (
        change("arm/arm.xml", 'pos="0 0 0.3"', 'pos="0 nan 0.3"'),
        "F/arm/arm.xml, line 14, <body pos>: a finite number is needed, got '0 nan 0.3'. Write the number out.",
    ),
    "infinite in URDF": (
        change("claw.urdf", 'lower="0"', 'lower="-1e999"'),
        "F/claw.urdf, line 21, <limit lower>: a finite number is needed, got '-1e999'. Write the number out.",
    ),
    "astronomic": (
        change("cell.toml", BLOCK, "xyz_m = [1e8, 0.0, 0.0]"),
        "F/cell.toml: positions, sizes or masses too large to compute with, limit 1e+06. "
        "Metres and kilograms are needed.",
    ),
    "beyond computing": (
        change("cell.toml", BLOCK, "xyz_m = [1e300, 0.0, 0.0]"),
        "F/cell.toml, mounts.block: position is too large, got [1e+300, 0.0, 0.0], limit 1000000000.0. "
        "Metres and degrees are needed.",
    ),
    "many digits": (
        change("cell.toml", BLOCK, f"xyz_m = [1{'0' * 5000}, 0, 0]"),
        "F/cell.toml: a number with too many digits. Write it shorter.",
    ),
    "negative speed": (
        change("arm/model.toml", "speed_deg_s = 90.0", "speed_deg_s = -90.0"),
        "F/arm/model.toml, axes.turn.speed_deg_s: must be positive, got -90.0",
    ),
    "limits in the wrong order": (
        change("arm/model.toml", "[-170.0, 170.0]", "[170.0, -170.0]"),
        "F/arm/model.toml, axes.turn.hardware_limits_deg: the lower limit must be below the upper one, "
        "got [170.0, -170.0]. Exchange them.",
    ),
    "changed limits in the wrong order": (
        change("cell.toml", 'model = "./arm"', 'model = "./arm"\naxes.turn.hardware_limits_deg = [10.0, -10.0]'),
        "F/cell.toml, mounts.arm.axes.turn.hardware_limits_deg: the lower limit must be below the upper one, "
        "got [10.0, -10.0]. Exchange them.",
    ),
    "URDF limits in the wrong order": (
        change("claw.urdf", 'lower="0" upper="0.04"', 'lower="0.04" upper="0"'),
        "F/claw.urdf, line 21, <limit>: the lower limit of joint 'open_left' must be below the upper one, "
        "got [0.04, 0.0]. Exchange them.",
    ),
    "software limits outside": (
        change("arm/model.toml", "[0.0, 80.0]", "[-20.0, 80.0]"),
        "F/arm/model.toml, axes.bend.software_limits_deg: software limits must lie inside the hardware limits, "
        "got [-20.0, 80.0], limit [-10.0, 90.0]. Narrow the software limits or widen the hardware limits.",
    ),
    "no limits anywhere": (
        change("arm/model.toml", "hardware_limits_deg = [-170.0, 170.0]\n", ""),
        "F/arm/model.toml, axes.turn: axis without limits. "
        "Give hardware_limits_deg = [min, max] or a range in the model file.",
    ),
    "wrong unit": (
        change("arm/model.toml", "speed_deg_s = 90.0", "speed_m_s = 0.3"),
        "F/arm/model.toml, axes.turn.speed_m_s: this axis is a hinge. Use speed_deg_s instead.",
    ),
    "wrong kind of effort": (
        change("arm/model.toml", "speed_deg_s = 90.0", "force_N = 3.0"),
        "F/arm/model.toml, axes.turn.force_N: this axis is a hinge. Use torque_Nm instead.",
    ),
    "half a servo": (
        change("arm/model.toml", "speed_deg_s = 90.0", "kp = 100.0"),
        "F/arm/model.toml, axes.turn: kp and kv belong together: give both or neither",
    ),
    "pose of the wrong length": (
        change("cell.toml", "[0.0, 30.0]", "[0.0, 30.0, 0.0]"),
        "F/cell.toml, poses.home.joints_deg_m.arm: one value per axis is needed: 2, got [0.0, 30.0, 0.0]. "
        "The axes are: arm/turn, arm/bend.",
    ),
    "pose outside the limits": (
        change("cell.toml", "[0.0, 30.0]", "[0.0, 85.0]"),
        "F/cell.toml, poses.home.joints_deg_m.arm: the pose leaves the software limits of axis arm/bend, got 85.0, "
        "limit [0.0, 80.0]. Move the value inside, or widen the limits.",
    ),
    "model pose outside the limits": (
        {"arm/model.toml": MODEL + "[poses.far]\njoints_deg_m = [171.0, 0.0]\n"},
        "F/arm/model.toml, poses.far.joints_deg_m: the pose leaves the software limits of axis arm/turn, got 171.0, "
        "limit [-170.0, 170.0]. Move the value inside, or widen the limits.",
    ),
    "a switch that is a word": (
        {"cell.toml": CELL + SIGNAL.replace("true", '"closed"')},
        f"F/cell.toml, signals[0].normal: true or false is needed, got 'closed'. {SEE}",
    ),
    "field of view": (
        {"cell.toml": CELL + "fovy_deg = 180\n"},
        "F/cell.toml, cameras.view.fovy_deg: field of view, got 180.0, limit 0 to 180 deg",
    ),
    # Things that cannot be
    "a loop of mounts": (
        change("cell.toml", 'model = "./arm"', 'model = "./arm"\non = "claw/palm"'),
        "F/cell.toml, mounts: mounts stand on each other in a loop, got ['arm on claw/palm', 'claw on arm/hand']. "
        "At least one of them must stand on the world.",
    ),
    "a part on a moving frame": (
        change("cell.toml", BLOCK, 'on = "arm/hand"'),
        "F/cell.toml, mounts.block.on: a part must start on a frame that stands still, got 'arm/hand'. "
        "Put it on the world or on a fixture.",
    ),
    "model and file": (
        change("cell.toml", 'file = "claw.urdf"', 'file = "claw.urdf"\nmodel = "block"'),
        "F/cell.toml, mounts.claw: give either model or file. "
        'model = "puma560", model = "./my_arm" or file = "my_arm.urdf".',
    ),
    "neither model nor file": (
        change("cell.toml", 'file = "claw.urdf"\n', ""),
        "F/cell.toml, mounts.claw: give either model or file. "
        'model = "puma560", model = "./my_arm" or file = "my_arm.urdf".',
    ),
    "a part without a free joint": (
        {
            "cell.toml": CELL.replace('model = "block"', 'model = "./part"'),
            "part/model.toml": 'format = 1\nkind = "part"\ntitle = "part"\nfile = "part.xml"\n',
            "part/part.xml": '<mujoco><worldbody><body><geom size="0.1"/></body></worldbody></mujoco>',
        },
        "F/part/model.toml, kind: a part is one body with a free joint, got '1 bodies at the top, 0 free joints'. "
        'Add <freejoint/> to its body, or use kind = "fixture".',
    ),
    "a joint as axis and finger": (
        {"arm/model.toml": MODEL + TOOL + "closed_deg_m = [0.0]\nopen_deg_m = [1.0]\n"},
        "F/arm/model.toml, axes.bend: a joint is either an axis or part of a tool. Remove it from one of them.",
    ),
    "a tool that does not move": (
        {"arm/model.toml": MODEL.partition("[axes.bend]")[0] + TOOL + "closed_deg_m = [1.0]\nopen_deg_m = [1.0]\n"},
        "F/arm/model.toml, tools.grip.open_deg_m: joint 'bend' is at the same place when open and when closed, "
        "got 1.0. Leave a joint that does not move out of the tool.",
    ),
    "a force sensor on a joint": (
        {
            "arm/arm.xml": ARM.replace('<joint name="bend"', '<site name="cell"/><joint name="bend"'),
            "arm/model.toml": MODEL.replace("[frames]", '[frames]\ncell = "load cell"')
            + '[force_sensors.cell]\nframe = "cell"\nrange_N = 9.0\nrange_Nm = 9.0\n',
        },
        "F/arm/model.toml, force_sensors.cell.frame: a force sensor sits on a body without joints, 'beam' has some, "
        "got 'cell'. Put the frame on a body fixed to it.",
    ),
    "URDF without inertia": (
        change(
            "claw.urdf", '<link name="left">\n    <inertial><mass value="0.1"/>', '<link name="left">\n    <inertial>'
        ),
        "F/claw.urdf, line 16, <joint>: a moving link has no inertia: 'left', moved by joint 'open_left'. "
        "Give the link an <inertial> element with mass and inertia.",
    ),
    "MJCF without mass": (
        {"arm/arm.xml": ARM.replace(' mass="0"', "").replace("<geom ", '<geom mass="0" ')},
        "F/arm/arm.xml, line 11: MuJoCo refuses it: mass and inertia of moving bodies must be larger than mjMINVAL "
        "Element name 'column', id 2. Give the body an <inertial> with mass and inertia, or geoms with mass.",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_is_one_clear_error(mistake: str, tmp_path: Path):
    changes, expected = MISTAKES[mistake]
    assert error_of(tmp_path, changes) == expected


def test_unknown_model_suggests_the_nearest(tmp_path: Path):
    with pytest.raises(UnknownName) as caught:
        load(tmp_path, change("cell.toml", 'model = "block"', 'model = "blok"'))
    assert caught.value.where == f"{tmp_path}/cell.toml, mounts.block.model"
    assert caught.value.value == "blok"
    assert "puma560" in caught.value.choices
    assert caught.value.remedy == "Did you mean 'block'?"


def test_unknown_cell_suggests_the_nearest():
    with pytest.raises(UnknownName, match=r"no cell of that name, got 'pumma'; .* Did you mean 'puma'\?"):
        load_cell("pumma")
