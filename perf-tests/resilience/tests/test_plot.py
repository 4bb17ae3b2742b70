"""The chart is well-formed."""

import unittest
from xml.etree import ElementTree

from resilience import plot, seconds


class PlotTest(unittest.TestCase):
    def rows(self, asked):
        rows = [seconds.Second(number, asked, asked, p50=10.0, p99=20.0) for number in range(5)]
        for row in rows:
            row.shares = dict.fromkeys(seconds.ORIGINS, 0.2)
        return rows

    def test_is_well_formed_and_says_what_was_done(self):
        rows = self.rows(100)
        rows[2].failed["cut"] = 3
        drawn = plot.picture(rows, [(2, 4, "cuts <bodies>")], 5, "a run")
        text = "".join(ElementTree.fromstring(drawn).itertext())
        for words in ("origin 4", "cuts <bodies>", "reset in mid-body: 3", "500 of 500"):
            self.assertIn(words, text)

    def test_a_second_without_answers_leaves_a_gap(self):
        rows = self.rows(100)
        rows[2].p50 = rows[2].p99 = None
        ElementTree.fromstring(plot.picture(rows, [], 5, ""))


if __name__ == "__main__":
    unittest.main()
