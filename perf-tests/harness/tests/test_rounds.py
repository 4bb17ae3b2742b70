"""Order of the rounds, ratios and medians."""

import unittest

from harness import h2load, paired, report, rounds


def a_round(number, proxy, micros, errors=0):
    return rounds.Round(
        case="c1", number=number, proxy=proxy, requests=1000, rate=100.0, micros=micros, micros_user=micros / 4,
        micros_system=micros * 3 / 4, p50_ms=1.0, p99_ms=2.0, errors=errors, resident_mb=10.0, proxy_share=0.9,
        foreign_share=0.0, load_share=0.9, switches=0.1,
    )


class RoundsTest(unittest.TestCase):
    def test_everyone_has_been_first_after_as_many_rounds_as_proxies(self):
        first = [rounds.rotated(["a", "b", "c"], number)[0] for number in range(3)]
        self.assertEqual(first, ["a", "b", "c"])

    def test_ratio_is_taken_within_the_round(self):
        seen = [a_round(1, "nginx", 12.0), a_round(1, "lychgate", 16.0)]
        rounds.set_ratios(seen)
        self.assertEqual([one.ratio for one in seen], [1.0, 0.75])

    def test_no_ratio_without_nginx(self):
        seen = [a_round(1, "lychgate", 16.0)]
        rounds.set_ratios(seen)
        self.assertIsNone(seen[0].ratio)

    def test_no_ratio_where_nothing_was_answered(self):
        seen = [a_round(1, "nginx", 12.0), a_round(1, "scg", 1.0)]
        seen[1].micros = None
        rounds.set_ratios(seen)
        self.assertIsNone(seen[1].ratio)

    def test_median_of_the_figures_and_sum_of_the_errors(self):
        seen = [a_round(i, "nginx", micros, errors=i) for i, micros in enumerate((10.0, 30.0, 11.0))]
        (row,) = report.medians(seen)
        self.assertEqual((row["micros"], row["errors"], row["rounds"]), (11.0, 3, 3))


class CountedTest(unittest.TestCase):
    def errors(self, succeeded, failed, status_2xx):
        seen = h2load.H2loadResult(succeeded, failed, failed, 0, status_2xx, rate=1.0)
        return rounds.counted(seen, 1).errors

    def test_a_failure_counts_once(self):
        self.assertEqual(self.errors(succeeded=90, failed=10, status_2xx=90), 10)

    def test_a_response_with_another_status_is_an_error(self):
        self.assertEqual(self.errors(succeeded=100, failed=0, status_2xx=97), 3)

    def test_responses_that_are_incomplete_at_the_end_are_no_errors(self):
        self.assertEqual(self.errors(succeeded=100, failed=0, status_2xx=104), 0)


class IntervalTest(unittest.TestCase):
    def test_holds_the_median_and_little_more_where_rounds_agree(self):
        low, high = paired.interval([1.01, 1.02, 1.03, 1.02, 1.01, 1.03, 1.02])
        self.assertLessEqual(low, 1.02)
        self.assertGreaterEqual(high, 1.02)
        self.assertLess(high - low, 0.03)

    def test_grows_with_the_noise(self):
        calm = paired.interval([1.0, 1.01, 0.99, 1.0, 1.0])
        wild = paired.interval([0.8, 1.3, 0.7, 1.1, 1.0])
        self.assertGreater(wild[1] - wild[0], calm[1] - calm[0])

    def test_needs_values(self):
        with self.assertRaises(ValueError):
            paired.interval([])


if __name__ == "__main__":
    unittest.main()
