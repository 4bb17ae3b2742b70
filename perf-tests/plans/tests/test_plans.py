"""The plans match the catalogue, and are judged by it."""

import contextlib
import io
import os
import unittest
from xml.etree import ElementTree

from harness.verdict import Verdict
from plans import catalogue, jmeter, judge, report, run


def file_of(name):
    return os.path.join(jmeter.HERE, f"{name}.jmx")


def row(errors=0, rate=1400.0, mean=1.0, p99=5.0, **more):
    added = {"mean": mean, "mean_error": 0.1, "p50": 1.0, "p90": 1.0, "p99": p99, "p999": p99}
    figures = dict.fromkeys(("mean", "mean_error", "p50", "p90", "p99", "p999", "max"), 50.0)
    shares = {"proxy_share": 0.2, "foreign_share": 0.0, "load_share": 0.5, "foreign_load_share": 0.0}
    return {**figures, **shares, "count": 100, "errors": errors, "reasons": {}, "rate": rate, "added": added, **more}


def judged(name, labels, memory=()):
    made = {"targets": [{"name": "direct", "labels": labels}, {"name": "gateway", "labels": labels}], "memory": memory}
    verdict = Verdict(name)
    with contextlib.redirect_stdout(io.StringIO()):
        judge.judge(catalogue.PLANS[name], made, verdict)
    return verdict.failed


class PlansTest(unittest.TestCase):
    def test_every_plan_has_its_file_and_every_file_its_plan(self):
        files = {name[: -len(".jmx")] for name in os.listdir(jmeter.HERE) if name.endswith(".jmx")}
        self.assertEqual(files, set(catalogue.PLANS))

    def test_limits_and_lengths_are_of_groups_that_the_plan_has(self):
        for name, plan in catalogue.PLANS.items():
            groups = jmeter.groups(file_of(name))
            self.assertLessEqual(set(plan.limits), set(groups), name)
            if isinstance(plan.seconds, dict):
                self.assertEqual(set(plan.seconds), set(groups), name)

    def test_connections_together_ask_as_often_as_their_group_is_named(self):
        for name in ("zuul-netty", "filter-heavy"):
            for group, inside in groups_of(name):
                timer = next(inside.iter("ConstantThroughputTimer"))
                by_connection = float(timer.find("stringProp[@name='throughput']").text)
                connections = int(group.find("stringProp[@name='ThreadGroup.num_threads']").text)
                self.assertAlmostEqual(by_connection * connections / 60, float(group.get("testname")), msg=name)

    def test_groups_of_connections_have_as_many_as_they_are_named(self):
        for group, _ in groups_of("ramp"):
            self.assertEqual(group.find("stringProp[@name='ThreadGroup.num_threads']").text, group.get("testname"))

    def test_every_plan_warms_up_under_a_name_that_is_left_out(self):
        for name in catalogue.PLANS:
            warming = ElementTree.parse(file_of(name)).find(".//SetupThreadGroup")
            self.assertEqual(warming.get("testname"), "warm-up")

    def test_only_the_wanted_groups_are_left(self):
        text = jmeter.with_groups(file_of("zuul-netty"), ["700", "2000"])
        groups = ElementTree.fromstring(text).iter("ThreadGroup")
        self.assertEqual([group.get("testname") for group in groups if group.get("enabled") == "true"], ["700", "2000"])

    def test_a_plan_that_is_only_loaded_has_no_enabled_group(self):
        for name in catalogue.PLANS:
            plan = ElementTree.fromstring(jmeter.without_groups(file_of(name)))
            groups = [*plan.iter("ThreadGroup"), *plan.iter("SetupThreadGroup")]
            self.assertEqual({group.get("enabled") for group in groups}, {"false"}, name)

    def test_all_filters_of_the_filter_heavy_plan_are_there(self):
        for phase, names in run._FILTERS.items():
            for name in names:
                self.assertTrue(os.path.isfile(os.path.join(run._CONFIG, phase, f"{name}.groovy")), name)
        own = sum(len(files) for _, _, files in os.walk(run._OWN))
        filters = sum(len(names) for phase, names in run._FILTERS.items() if phase != "lib")
        self.assertEqual(own + filters, 10)

    def test_lengths_are_those_of_the_plan_unless_chosen(self):
        plan = catalogue.PLANS["ticketmaster"]
        self.assertEqual(catalogue.seconds_properties(plan, None), {"seconds.15000": 50, "seconds.150": 300})
        self.assertEqual(catalogue.seconds_properties(plan, 20)["seconds.150"], 20)

    def test_pauses_have_the_mean_that_was_chosen(self):
        for mean in (0, 150, 701):
            pause = catalogue.pause_properties(mean)
            self.assertAlmostEqual(pause["pause.least"] + pause["pause.range"] / 2, mean, delta=1)


def groups_of(name):
    """(group, its subtree), in JMeter's format: one after another."""
    for tree in ElementTree.parse(file_of(name)).iter("hashTree"):
        elements = list(tree)
        for element, inside in zip(elements, elements[1:]):
            if element.tag == "ThreadGroup":
                yield element, inside


class JudgeTest(unittest.TestCase):
    def test_within_its_limits_a_plan_passes(self):
        self.assertEqual(judged("zuul-netty", {"1400": row(mean=2.0, p99=10.0), "2000": row()}), 0)

    def test_each_limit_missed_counts(self):
        self.assertEqual(judged("zuul-netty", {"1400": row(mean=2.1, p99=11.0), "2000": row(p99=12.0)}), 3)

    def test_levels_without_a_limit_are_held_to_no_failures_only(self):
        self.assertEqual(judged("zuul-netty", {"350": row(mean=90.0)}), 0)
        self.assertEqual(judged("zuul-netty", {"350": row(errors=1)}), 2)

    def test_ticketmaster_allows_50_ms_at_the_99th_percentile(self):
        self.assertEqual(judged("ticketmaster", {"150": row(p99=50.0), "15000": row(p99=50.1)}), 1)

    def test_a_soak_is_held_to_what_the_gateway_holds_afterwards(self):
        begin = {"resident": 300 << 20, "heap_after_collection": 20 << 20, "direct": 0, "descriptors": 50}
        sound = {"name": "gateway", "begin": begin, "end": dict(begin)}
        grown = {**sound, "end": {**begin, "heap_after_collection": 40 << 20, "descriptors": 51}}
        self.assertEqual(judged("soak", {}, [sound]), 0)
        self.assertEqual(judged("soak", {}, [grown]), 2)

    def test_doubts_name_a_generator_that_was_too_slow_and_a_cpu_that_was_shared(self):
        plan = catalogue.PLANS["zuul-netty"]
        found = " ".join(judge.doubts(plan, "gateway", "1400", row(load_share=0.99, foreign_share=0.5), 1))
        for words in ("too slow", "99%", "others used 50%"):
            self.assertIn(words, found)
        self.assertEqual(judge.doubts(plan, "gateway", "1400", row(count=2800), 2), [])


class ReportTest(unittest.TestCase):
    def test_tells_what_is_added_beside_the_original(self):
        plan = catalogue.PLANS["zuul-netty"]
        labels = {"1400": row(), "2000": row(mean=1.5)}
        made = {
            "machine": {"cpu": "a CPU", "cpus": 2, "kernel": "6", "system": "Linux"}, "versions": {"JMeter": "5"},
            "jvm_flags": ["-Xmx512m"], "rounds": 1, "seconds": 60, "warmup": 30, "memory": [], "verdict": ["pass  all"],
            "targets": [
                {"name": "direct", "labels": labels, "doubts": []},
                {"name": "gateway", "labels": labels, "doubts": ["a doubt"]},
            ],
            "plots": [("added.svg", "added")], "reports": ["direct", "gateway"],
        }
        text = report.to_markdown(plan, made)
        ours, original = "| gateway | 2000 | 1.50 ± 0.20 |", "| 1400 | 82 | 85 % | 204 | 96 % |"
        for words in (ours, original, "a doubt", "(direct/index.html)", "this gateway 20% at 1400, 20% at 2000"):
            self.assertIn(words, text)
        (drawn,) = report.plots(plan, made, {})
        ElementTree.fromstring(drawn[2])


if __name__ == "__main__":
    unittest.main()
