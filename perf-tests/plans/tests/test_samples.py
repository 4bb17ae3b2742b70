"""Figures of JMeter's samples, and added latency."""

import os
import tempfile
import unittest

from plans import samples

_HEAD = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,failureMessage,bytes,Latency,Connect\n"


def line(moment, elapsed, label, success="true", code="200", message="OK"):
    return f'{moment},{elapsed},{label},{code},"{message}",a 1-1,{success},,1,1,0\n'


class SamplesTest(unittest.TestCase):
    def read(self, *lines):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "samples.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write(_HEAD + "".join(lines))
            return samples.read(path)

    def test_labels_stand_in_the_order_in_which_they_began_without_the_warm_up(self):
        seen = self.read(line(1000, 5, "warm-up"), line(9000, 5, "700"), line(2000, 5, "350"))
        self.assertEqual(list(seen), ["350", "700"])

    def test_rate_counts_from_the_first_begin_to_the_last_end(self):
        seen = self.read(line(1000, 10, "350"), line(2500, 500, "350"), line(2000, 100, "350"))["350"]
        self.assertEqual((seen.begin, seen.end, seen.rate, seen.count), (1.0, 3.0, 1.5, 3))

    def test_failures_are_counted_by_what_they_were(self):
        busy = [line(moment, 5, "a", "false", "503", "Busy") for moment in (2, 3)]
        seen = self.read(line(1, 5, "a"), *busy)["a"]
        self.assertEqual((seen.errors, seen.reasons), (2, {"503 Busy": 2}))

    def test_percentiles_are_values_that_occurred(self):
        values = list(range(1, 101))
        self.assertEqual([samples.percentile(values, share) for share in (50, 99, 99.9, 100)], [50, 99, 100, 100])
        self.assertEqual(samples.percentile([7], 50), 7)
        with self.assertRaises(ValueError):
            samples.percentile([], 50)

    def test_added_is_the_difference_and_the_errors_of_both_means_add_up(self):
        direct = {"mean": 25.0, "p50": 25.0, "p90": 45.0, "p99": 50.0, "p999": 51.0, "mean_error": 0.3}
        through = {"mean": 26.5, "p50": 26.0, "p90": 47.0, "p99": 53.0, "p999": 50.0, "mean_error": 0.4}
        added = samples.added(direct, through)
        self.assertEqual((added["mean"], added["p99"], added["p999"]), (1.5, 3.0, -1.0))
        self.assertAlmostEqual(added["mean_error"], 0.5)

    def test_median_of_rounds_is_taken_figure_by_figure(self):
        self.assertEqual(samples.median_of([{"p99": 1}, {"p99": 9}, {"p99": 2}]), {"p99": 2})

    def test_share_of_a_cpu_is_the_growth_of_its_seconds_between_two_moments(self):
        looks = [(100.0, 5.0), (110.0, 10.0), (120.0, 10.0)]
        self.assertAlmostEqual(samples.share_between(looks, 105.0, 115.0), 0.25)

    def test_a_last_look_just_before_the_end_is_taken_for_the_end(self):
        self.assertAlmostEqual(samples.share_between([(100.0, 5.0), (110.0, 10.0)], 100.0, 110.4), 0.5)

    def test_there_is_no_share_of_what_was_not_looked_at(self):
        self.assertIsNone(samples.share_between([(100.0, 5.0), (110.0, 10.0)], 90.0, 105.0))
        self.assertIsNone(samples.share_between([], 1.0, 2.0))


if __name__ == "__main__":
    unittest.main()
