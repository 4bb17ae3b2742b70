"""Failures that the rules allow, and others."""

import unittest
from types import SimpleNamespace

from resilience import failures, seconds
from resilience.bench import Sighting

_RULES = failures.Rules(3, 0.5, {1: (10, 40), 2: (15, 40), 3: (20, 40), 4: (25, 40)}, 0.2)


def record(method, due, outcome, status=0, error="", seen=(), attempts=1, took=0.6, endpoint=None):
    request = SimpleNamespace(
        number=0, method=method, due=due, sent=due, done=due + took, outcome=outcome, status=status, error=error
    )
    sightings = [Sighting(origin, method, due, mode) for origin, mode in seen]
    return failures.Record(request, sightings, {"attempts": attempts}, endpoint, _RULES)


def reason(one, among=()):
    return failures.reason(one, failures.Spent([one, *among]))


class FailuresTest(unittest.TestCase):
    def test_an_answer_that_had_begun_may_be_cut_by_an_origin_that_cuts(self):
        one = record("GET", 26, "cut", 200, seen=[(4, "cut")])
        self.assertEqual(reason(one), "cut")

    def test_an_answer_of_a_sound_origin_may_not(self):
        self.assertEqual(reason(record("GET", 26, "cut", 200, seen=[(5, "ok")])), failures.UNEXPLAINED)

    def test_a_post_that_was_seen_once_is_explained_by_what_its_origin_did(self):
        stalled = record("POST", 15, "ok", 504, "response-timeout", [(2, "stall")])
        status = record("POST", 20, "ok", 500, "", [(3, "status")])
        late = record("POST", 5, "ok", 504, "response-timeout", [(5, "ok")])
        self.assertEqual([reason(one) for one in (stalled, status, late)], ["stalled", "status", "late"])

    def test_a_post_that_was_seen_twice_is_not(self):
        one = record("POST", 20, "ok", 500, "", [(2, "stall"), (3, "status")])
        self.assertEqual(reason(one), failures.UNEXPLAINED)

    def test_a_post_may_be_lost_with_an_origin_while_that_dies_only(self):
        def lost(due):
            return record("POST", due, "ok", 502, "origin-reset", [], took=0.01, endpoint=1)

        self.assertEqual([reason(lost(due)) for due in (10, 12)], ["died", failures.UNEXPLAINED])

    def test_a_get_needs_all_its_attempts_or_a_spent_budget(self):
        used = record("GET", 20, "ok", 500, "", [(1, "stall"), (2, "stall"), (3, "status")], attempts=3)
        one = record("GET", 20, "ok", 500, "", [(3, "status")])
        others = [record("GET", 19, "ok", 200) for _ in range(100)]
        again = [record("GET", 19, "ok", 200, attempts=2) for _ in range(30)]
        self.assertEqual(reason(used), "attempts")
        self.assertEqual(reason(one, others), failures.UNEXPLAINED)
        self.assertEqual(reason(one, others + again), "budget")
        refused = record("GET", 20, "ok", 503, "circuit-open")
        self.assertEqual(reason(refused, others + again), failures.UNEXPLAINED)

    def test_an_error_that_no_origin_caused_is_unexplained(self):
        for error in ("no-endpoint", "circuit-open", "acquire-timeout"):
            self.assertEqual(reason(record("POST", 30, "ok", 503, error)), failures.UNEXPLAINED)
        self.assertEqual(reason(record("GET", 30, "unanswered")), failures.UNEXPLAINED)


class TrafficTest(unittest.TestCase):
    def test_what_nobody_saw_went_to_the_dead_one(self):
        records = [record("GET", 12, "ok", 200, seen=[(5, "ok")], attempts=2) for _ in range(10)]
        traffic = seconds.Traffic(records)
        self.assertEqual(traffic.share(12, 13, 1), 0.5)
        self.assertEqual(traffic.share(12, 13, 5), 0.5)
        self.assertEqual(traffic.share(13, 14, 5), 0)

    def test_the_table_counts_by_the_second_in_which_a_request_was_due(self):
        records = [record("GET", 1.5, "ok", 200, took=2), record("GET", 1.9, "cut", 200, seen=[(4, "cut")])]
        rows = seconds.table(records, seconds.Traffic(records), 4)
        self.assertEqual((rows[1].asked, rows[1].answered, rows[1].failed["cut"]), (2, 1, 1))
        self.assertAlmostEqual(rows[1].p99, 2000)
        self.assertEqual(rows[3].asked, 0)


if __name__ == "__main__":
    unittest.main()
