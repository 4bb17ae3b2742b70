"""Latency limits, and requests that count as failed or unreported."""

import unittest
from types import SimpleNamespace

from telemetry import judge


def request(due, took=0.01, outcome="ok", status=200):
    return SimpleNamespace(due=due, done=due + took, outcome=outcome, status=status)


class TimetableTest(unittest.TestCase):
    def test_every_fault_has_its_time_between_two_sound_ones(self):
        phases = judge.timetable(60, 90)
        self.assertEqual(["ok", *(mode for mode, _ in judge.FAULTS), "ok"], [one.mode for one in phases])
        self.assertEqual([(0, 60), (60, 120)], [(one.begin, one.end) for one in phases[:2]])
        self.assertEqual((300, 390), (phases[-1].begin, phases[-1].end))


class LatencyTest(unittest.TestCase):
    phase = judge.Phase("refusing", "refuse", 10, 20)

    def test_is_of_what_was_due_in_the_phase_and_before_the_look_at_the_heap(self):
        requests = [request(9, 1), request(10, 0.002), request(20 - judge.LOOK, 5), request(20, 7)]
        self.assertEqual([10], [one.due for one in judge.answered(requests, self.phase)])

    def test_is_told_piece_by_piece(self):
        requests = [request(10, 0.002), request(11, 0.004), request(10 + judge.PIECE, 0.008)]
        self.assertEqual([4, 8], [round(one) for one in judge.pieces(requests, self.phase, 0.99)])
        self.assertEqual([], judge.pieces([request(5)], self.phase, 0.5))

    def test_what_happens_seldom_is_seen_in_the_whole_phase(self):
        requests = [request(10 + n / 1000, 0.002) for n in range(999)] + [request(11, 3)]
        self.assertAlmostEqual(3000, judge.worst(requests, self.phase))
        self.assertGreater(judge.worst(requests, self.phase), judge.worst_limit(10))

    def test_may_be_as_bad_as_that_of_the_gateway_beside_by_what_is_usual(self):
        usual = judge.usual([12, 22, 900], [10, 20, 90])
        self.assertAlmostEqual(1.2, usual)
        self.assertAlmostEqual(judge.RATIO * 1.2 * 10 + judge.SLACK, judge.limit(10, usual))

    def test_being_faster_than_the_gateway_beside_makes_the_limit_no_stricter(self):
        self.assertAlmostEqual(judge.RATIO * 10 + judge.SLACK, judge.limit(10, 0.8))

    def test_a_sound_time_that_was_disturbed_excuses_only_so_much(self):
        self.assertEqual(judge.limit(10, judge.MOST_USUAL), judge.limit(10, 9))


class FailedTest(unittest.TestCase):
    def test_is_all_but_a_whole_answer_of_200(self):
        bad = [request(1, outcome="cut"), request(2, status=503), request(3, outcome="never", status=0)]
        self.assertEqual(bad, judge.failed([request(0), *bad]))


class MissingTest(unittest.TestCase):
    def test_are_those_of_which_no_event_came_with_the_right_status(self):
        self.assertEqual([2, 3], judge.missing(range(1, 5), [(1, 200), (3, 502), (4, 200)]))

    def test_the_last_may_still_be_under_way(self):
        self.assertEqual([], judge.missing(range(1, 5), [(1, 200), (2, 200)], skip=2))


if __name__ == "__main__":
    unittest.main()
