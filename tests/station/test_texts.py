from telecell.models import Cell
from telecell.station.panels.table import Row, write_bar, write_table
from telecell.station.panels.titles import write_titles


def test_titles_leave_out_what_all_axes_of_a_mount_begin_with(cirsse: Cell):
    assert write_titles(cirsse.get_robot("FL").axes) == [
        "1 linear",
        "2 rotate",
        "3 tilt",
        "4 shoulder",
        "5 upper-arm",
        "6 fore-arm",
        "7 wrist",
        "8 flange tilt",
        "9 flange rotate",
    ]


def test_a_single_axis_keeps_its_whole_title(cirsse: Cell):
    assert write_titles(cirsse.get_robot("FL").axes[:1]) == ["1 L Cart linear"]


def test_tables_carry_keys_and_let_nothing_through():
    table = write_table([Row('a"b', "<b>", "1 & 2")])
    assert "<b>" not in table
    assert "&lt;b&gt;" in table
    assert "1 &amp; 2" in table
    assert 'data-row="a&quot;b"' in table


def test_a_bar_puts_values_under_their_names():
    bar = write_bar([Row("overruns", "Overruns", "3"), Row("time", "Time", "0:12")])
    assert bar.index("Overruns") < bar.index(">3<") < bar.index("Time") < bar.index("0:12")
    assert 'data-row="overruns"' in bar
