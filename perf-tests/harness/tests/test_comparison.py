"""Calculations of the comparison: goals, percentiles, memory per connection, versions, charts."""

import array
import os
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree

from harness import against, goals, idle, openloop, peers, plots, report, table
from harness.cases import CASES, GIB
from harness.memory import Memory

MIB = 1 << 20


def a_round(number, proxy, micros):
    return {"number": number, "proxy": proxy, "micros": micros}


def a_run(name, rounds=(), medians=()):
    return {"cases": [{"name": name, "rounds": list(rounds), "medians": list(medians)}]}


class GoalsTest(unittest.TestCase):
    def test_costs_are_compared_within_a_round(self):
        rounds = [a_round(1, "nginx", 10), a_round(1, "lychgate", 8), a_round(2, "nginx", 30), a_round(2, "lychgate", 40)]
        rounds += [a_round(3, "nginx", 11), a_round(3, "lychgate", 10)]
        self.assertAlmostEqual(goals.cost_ratio(rounds, "nginx", "lychgate"), 1.1)

    def test_rounds_in_which_one_of_them_is_missing_say_nothing(self):
        rounds = [a_round(1, "nginx", 10), a_round(2, "lychgate", 8)]
        self.assertIsNone(goals.cost_ratio(rounds, "nginx", "lychgate"))

    def test_what_is_not_measured_is_not_judged(self):
        self.assertEqual(goals.judge(a_run("c1", [a_round(1, "lychgate", 8)])), [])

    def test_less_than_must_be_is_missed_and_less_than_the_aim_is_not(self):
        words = {}
        for micros in (12, 10, 8):
            (judged,) = goals.judge(a_run("c1", [a_round(1, "nginx", 10), a_round(1, "lychgate", micros)]))
            words[micros] = (judged.word, judged.missed)
        self.assertEqual(words, {12: ("missed", True), 10: ("short of the aim", False), 8: ("reached", False)})

    def test_latencies_may_be_at_most_their_limit(self):
        row = {"proxy": "lychgate", "added_p99": 2.1, "errors": 0}
        (judged,) = goals.judge(a_run("latency", medians=[row]))
        self.assertTrue(judged.missed)
        row["added_p99"] = 1.9
        (judged,) = goals.judge(a_run("latency", medians=[row]))
        self.assertFalse(judged.missed)

    def test_ten_filters_are_held_against_peers_without_any(self):
        rounds = [a_round(1, "undertow", 18), a_round(1, "lychgate", 12), a_round(1, "lychgate+10", 20)]
        (judged,) = goals.judge(a_run("filters", rounds))
        self.assertAlmostEqual(judged.value, 0.9)
        self.assertTrue(judged.missed)

    def test_errors_of_the_gateway_are_told_by_case_and_those_of_others_are_not(self):
        rows = [{"proxy": name, "errors": count} for name, count in (("nginx", 4), ("lychgate", 2), ("lychgate+10", 1))]
        self.assertEqual(goals.errors(a_run("c1", medians=rows)), {"c1": "3 errors"})

    def test_what_a_spliced_download_must_reach_is_asked_of_no_other(self):
        rounds = [a_round(1, "nginx", 15), a_round(1, "lychgate", 14), a_round(1, "lychgate+splice", 9)]
        judged = {one.goal.proxy: (one.word, round(one.value, 2)) for one in goals.judge(a_run("down-1g", rounds))}
        self.assertEqual(judged, {"lychgate": ("reached", 1.07), "lychgate+splice": ("reached", 1.67)})

    def test_a_gateway_that_could_not_be_measured_has_missed_the_case_and_a_peer_that_could_not_has_not(self):
        run = a_run("idle")
        run["cases"][0]["left_out"] = {"scg": "closed connections"}
        self.assertEqual(goals.errors(run), {})
        run["cases"][0]["left_out"]["lychgate"] = "refused connections"
        self.assertEqual(goals.errors(run), {"idle": "refused connections"})

    def test_every_goal_is_about_a_case_that_exists_or_about_starts(self):
        known = {*CASES, goals.WITH_CACHE, goals.WITHOUT_CACHE}
        self.assertLessEqual({goal.case for goal in goals.GOALS}, known)


class AgainstTest(unittest.TestCase):
    def test_compares_the_jar_with_the_earlier_one_and_with_its_control_in_the_same_round(self):
        costs = ((10, 20, 11), (30, 40, 27), (10, 16, 10))
        rounds = []
        for number, (jar, earlier, control) in enumerate(costs, start=1):
            rounds += [a_round(number, "lychgate", jar), a_round(number, against.EARLIER, earlier)]
            rounds += [a_round(number, against.CONTROL, control)]
        to_earlier, to_itself = against.ratios({"rounds": rounds})
        self.assertAlmostEqual(to_earlier.median, 0.625)
        self.assertEqual((to_earlier.low, to_earlier.high, to_earlier.rounds), (0.5, 0.75, 3))
        self.assertAlmostEqual(to_itself.median, 1.0)
        self.assertIn("0.625 (95 % interval 0.500 to 0.750, 3 rounds)", str(to_earlier))

    def test_reports_no_ratio_where_one_of_the_two_was_not_measured(self):
        self.assertEqual(against.ratios({"rounds": [a_round(1, "lychgate", 10)]}), [])


class LatencyTest(unittest.TestCase):
    def test_percentiles_are_values_that_were_measured(self):
        ordered = list(range(1, 1001))
        self.assertEqual([openloop.percentile(ordered, share) for share in (50, 99, 99.9, 100)], [500, 990, 999, 1000])

    def test_of_few_values_the_highest_percentile_is_the_slowest_one(self):
        self.assertEqual(openloop.percentile([1.0, 2.0, 30.0], 99.9), 30.0)

    def test_the_generators_file_is_big_endian_microseconds_in_any_order(self):
        micros = array.array("i", [2500, 100, 70_000])
        if sys.byteorder == "little":
            micros.byteswap()
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "latencies")
            with open(path, "wb") as file:
                file.write(micros.tobytes())
            self.assertEqual(openloop.read(path), [0.1, 2.5, 70.0])


    def test_a_calm_round_is_made_once(self):
        self.assertEqual(openloop.calmest(iter([0.9, 0.1]).__next__, lambda one: one), (0.9, [0.9]))

    def test_a_round_that_the_host_disturbed_is_made_again_until_it_is_calm(self):
        self.assertEqual(openloop.calmest(iter([3.0, 1.0, 0.1]).__next__, lambda one: one), (1.0, [3.0, 1.0]))

    def test_where_none_is_calm_the_calmest_of_three_counts_whatever_it_has_measured(self):
        self.assertEqual(openloop.calmest(iter([3.0, 2.0, 4.0, 0.1]).__next__, lambda one: one), (2.0, [3.0, 2.0, 4.0]))

    def test_unrest_is_lateness_of_the_generator_on_the_direct_way_or_time_that_the_host_took_on_either(self):
        calm, late, robbed = latencies(0.001, 0.001), latencies(0.02, 0.001), latencies(0.001, 0.015)
        self.assertAlmostEqual(openloop.unrest(late, calm), 2)
        self.assertAlmostEqual(openloop.unrest(robbed, calm), 3)
        self.assertAlmostEqual(openloop.unrest(calm, robbed), 3)

    def test_a_proxy_that_makes_the_generator_late_gets_no_second_try(self):
        self.assertLess(openloop.unrest(latencies(0, 0), latencies(0.9, 0)), 1)

    def test_errors_of_rounds_that_do_not_count_count(self):
        disturbed, calm = latencies(0, 0.1, errors=7), latencies(0, 0)
        bench = FakeBench([calm, disturbed, calm, calm])
        [one] = openloop.measure_round(bench, CASES["latency"], 1, [FakeProxy()], {"fake": 100})
        self.assertEqual((one.errors, one.tries, one.stolen), (7, 2, 0))


def latencies(late, stolen, errors=0):
    return openloop.Latencies(1, errors, 1, 1, 1, late=late, stolen=stolen)


class FakeProxy:
    name, port = "fake", 1

    def pids(self):
        return [os.getpid()]


class FakeBench:
    """Its generator returns the results in order."""

    def __init__(self, said):
        self.chosen = types.SimpleNamespace(seconds=1)
        self._said = iter(said)

    def generator(self):
        return types.SimpleNamespace(run=lambda *how: next(self._said))

    def origin_ports(self, case):
        return [2]


class IdleTest(unittest.TestCase):
    def test_a_connection_costs_what_memory_and_live_heap_have_grown_by(self):
        before, after = Memory(100 * MIB, None, 20 * MIB), Memory(110 * MIB, None, 25 * MIB)
        resident, heap, held = idle.per_connection(before, after, 1024)
        self.assertEqual((resident, heap, held), (10 * 1024, 5 * 1024, 15 * 1024))

    def test_without_a_heap_it_is_memory_alone(self):
        self.assertEqual(idle.per_connection(Memory(MIB), Memory(2 * MIB), 1024), (1024, None, 1024))


class PeersTest(unittest.TestCase):
    def test_version_is_that_of_the_library_and_not_of_one_with_a_longer_name(self):
        names = ["undertow-core-websockets-1.0.jar", "undertow-core-2.4.4.Final.jar", "xnio-api-3.8.jar"]
        self.assertEqual(peers.version_in(names, "undertow-core"), "2.4.4.Final")


class ShownTest(unittest.TestCase):
    row = {"proxy": "lychgate", "rate": 900.0, "micros": 800_000.0, "micros_user": 1e5, "micros_system": 7e5, "errors": 0}

    def test_large_bodies_are_told_per_gib_in_milliseconds(self):
        shown = table.line(report.columns(CASES["down-1g"]), self.row)
        self.assertIn("    800", shown)
        self.assertEqual(CASES["up-10m"].body / GIB, 10 / 1024)

    def test_a_line_is_as_wide_as_its_header_whatever_is_missing(self):
        for case in CASES.values():
            columns = report.columns(case, shares=True)
            self.assertEqual(len(table.line(columns, {"proxy": "x"})), len(table.header(columns)), case.name)

    def test_each_case_is_drawn_as_a_picture_with_the_names_of_its_proxies(self):
        figures = {"added_p50": 0.1, "added_p99": -0.2, "added_p999": 3.0, "resident": 900.0, "heap": None}
        for case in CASES.values():
            picture = plots.of(case, {"medians": [{**self.row, **figures}]})
            self.assertTrue(xml.etree.ElementTree.fromstring(picture).tag.endswith("svg"))
            self.assertIn(">lychgate<", picture)
        self.assertIsNone(plots.of(CASES["c1"], {"medians": []}))


if __name__ == "__main__":
    unittest.main()
