"""Averages over the runs, failures, and the limiting party."""

import contextlib
import io
import unittest
from xml.etree import ElementTree

from gwlb import levels, report
from harness.recording import Heap
from harness.verdict import Verdict


def load(
    line, connections, rate, run=1, failed=0, not_2xx=0, complete=1000, ab_share=0.5, proxy_share=0.95, opened=None,
    foreign=0.0,
):
    return levels.Load(
        run=run, line=line, connections=connections, requests=1000, complete=complete, failed=failed, failures={},
        not_2xx=not_2xx, rate=rate, mean_ms=10.0 * run, p99_ms=20, longest_ms=30 * run,
        open_at_most=connections if opened is None else opened, descriptors=100, proxy_share=proxy_share,
        ab_share=ab_share, origin_share=0.3, foreign_share=foreign, foreign_load_share=0.0,
    )


def judged(loads):
    verdict = Verdict("gw-lb")
    with contextlib.redirect_stdout(io.StringIO()):
        levels.judge(levels.averages(loads), verdict)
    return verdict


def all_levels(line, rate, **more):
    return [load(line, connections, rate, **more) for connections in levels.HELD]


class LevelsTest(unittest.TestCase):
    def test_throughput_and_latency_are_means_of_the_runs_and_failures_are_sums(self):
        both = [load("lychgate", 500, 100.0, failed=1), load("lychgate", 500, 300.0, run=2, failed=2)]
        row = levels.averages(both)["lychgate"][500]
        self.assertEqual((row["rate"], row["mean_ms"], row["runs"]), (200.0, 15.0, 2))
        self.assertEqual((row["failed"], row["longest_ms"]), (3, 60))

    def test_requests_that_never_ended_are_lost_as_well(self):
        self.assertEqual(load("lychgate", 500, 1.0, complete=990, failed=2, not_2xx=3).lost, 15)

    def test_passes_without_loss_and_as_fast_as_nginx_at_the_highest_level(self):
        self.assertEqual(judged(all_levels("lychgate", 100.0) + all_levels("nginx", 100.0)).failed, 0)

    def test_one_answer_that_is_not_2xx_fails_its_level_alone(self):
        loads = all_levels("lychgate", 100.0) + [load("lychgate", 2000, 100.0, run=2, not_2xx=1)]
        self.assertEqual(judged(loads).failed, 1)

    def test_slower_than_nginx_fails_at_the_highest_level_only(self):
        slower = [load("lychgate", connections, 90.0) for connections in levels.HELD]
        self.assertEqual(judged(slower + all_levels("nginx", 100.0)).failed, 1)
        self.assertEqual(judged(slower[:-1] + all_levels("nginx", 100.0)[:-1]).failed, 0)

    def test_says_when_the_generator_was_the_limit(self):
        table = levels.averages([load("lychgate", 500, 100.0, ab_share=0.65, proxy_share=0.6)])
        self.assertIn("not the proxy", " ".join(levels.doubts(table)))
        self.assertEqual(levels.doubts(levels.averages([load("lychgate", 500, 100.0, ab_share=0.65)])), [])

    def test_says_when_others_used_the_proxys_cpu(self):
        table = levels.averages([load("lychgate", 500, 100.0, foreign=0.4)])
        self.assertIn("others used 40%", " ".join(levels.doubts(table)))

    def test_says_when_ab_did_not_hold_its_connections(self):
        table = levels.averages([load("nginx", 12000, 100.0, opened=9000)])
        self.assertIn("9000", " ".join(levels.doubts(table)))


class ReportTest(unittest.TestCase):
    def test_memory_chart_shows_what_is_reserved_committed_and_used(self):
        heaps = [Heap(moment, used << 20, 256 << 20, 512 << 20) for moment, used in ((0.0, 20), (30.0, 180), (90.0, 21))]
        text = "".join(ElementTree.fromstring(report.memory_chart(heaps)).itertext())
        for words in ("reserved", "committed", "used"):
            self.assertIn(words, text)

    def test_tables_hold_every_line_at_every_level(self):
        table = levels.averages([load("bare origin", 500, 1000.0), load("nginx", 500, 100.0), load("lychgate", 500, 120.0)])
        run = {
            "machine": {"cpu": "a CPU", "cpus": 2, "kernel": "6", "system": "Linux"}, "descriptors": 20000,
            "versions": {"nginx": "1"}, "jvm_flags": ["-Xmx512m"], "requests": 1000, "runs": 1, "pool": 200, "table": table,
            "verdict": ["pass  all"], "doubts": [], "plots": [("throughput.svg", "throughput")],
        }
        text = report.to_markdown(run)
        for cell in ("| bare origin | 500 | 1,000 |", "| nginx | 500 | 100 |", "| lychgate | 500 | 120 |"):
            self.assertIn(cell, text)


if __name__ == "__main__":
    unittest.main()
