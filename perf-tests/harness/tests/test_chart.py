"""Well-formed charts with matching scales."""

import unittest
from xml.etree import ElementTree

from harness import chart


class ChartTest(unittest.TestCase):
    def test_scales_end_at_a_round_number_above_the_most(self):
        for most in (0, 1, 7, 37, 998, 1000, 1001):
            ticks, end = chart.nice(most)
            self.assertGreaterEqual(end, most)
            self.assertLessEqual(len(ticks), 5)

    def test_lines_are_well_formed_named_and_leave_gaps(self):
        panels = [("ms <p99>", {"direct": [(350, 50.0), (700, None), (1000, 51.0)], "gateway": [(350, 52.0)]}, 120)]
        drawn = chart.lines("A run", "a day", "per second", panels)
        tree = ElementTree.fromstring(drawn)
        text = "".join(tree.itertext())
        for words in ("A run", "ms <p99>", "direct", "gateway", "700"):
            self.assertIn(words, text)
        curves = [path.get("d") for path in tree.iter("{http://www.w3.org/2000/svg}path") if path.get("stroke-width") == "2"]
        self.assertEqual(curves[0].count("M"), 2)

    def test_one_point_alone_is_drawn(self):
        ElementTree.fromstring(chart.lines("A run", "", "", [("ms", {"only": [(5, 1.0)]}, 80)]))

    def test_long_times_are_shown_in_minutes(self):
        self.assertEqual(chart.times(7300)[:2], (60, "minutes"))
        self.assertEqual([words for _, words in chart.times(20)[2]], ["0", "5", "10", "15", "20"])

    def test_nothing_to_draw_is_said(self):
        with self.assertRaises(ValueError):
            chart.lines("A run", "", "", [("ms", {}, 80)])


if __name__ == "__main__":
    unittest.main()
