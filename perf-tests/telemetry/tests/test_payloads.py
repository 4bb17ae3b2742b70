"""Bodies are parsed according to their formats; malformed ones are rejected."""

import json
import struct
import unittest

from telemetry import payloads


def field(number, value):
    return bytes([number << 3 | 2, len(value)]) + value


def fixed(number, value):
    return bytes([number << 3 | 1]) + value


def inside(*numbers):
    """Embeds a message in others."""

    def put(message):
        for number in reversed(numbers):
            message = field(number, message)
        return message

    return put


class OtlpTest(unittest.TestCase):
    def metric(self, name, *values):
        points = b"".join(field(1, fixed(4, struct.pack("<d", value))) for value in values)
        return inside(1, 2, 2)(field(1, name) + field(7, points))

    def test_the_points_of_the_counter_are_added_up(self):
        body = self.metric(b"lychgate_retries_total", 7) + self.metric(payloads.REQUESTS.encode(), 40, 2)
        self.assertEqual(42, payloads.otlp_total(body))

    def test_what_does_not_tell_of_it_is_no_zero(self):
        self.assertIsNone(payloads.otlp_total(self.metric(b"lychgate_retries_total", 7)))

    def span(self, trace=b"t" * 16, begun=1, ended=2):
        times = fixed(7, struct.pack("<Q", begun)) + fixed(8, struct.pack("<Q", ended))
        return inside(1, 2, 2)(field(1, trace) + field(2, b"s" * 8) + field(5, b"GET") + times)

    def test_a_span_is_known_by_its_trace_and_itself(self):
        self.assertEqual([(b"t" * 16 + b"s" * 8).hex()], payloads.otlp_spans(self.span()))

    def test_a_span_that_ends_before_it_begins_is_refused(self):
        for broken in (self.span(begun=3), self.span(trace=b"short"), self.span()[:-3]):
            with self.assertRaises(ValueError):
                payloads.otlp_spans(broken)


class TsdbTest(unittest.TestCase):
    def test_rows_of_the_counter_are_told_apart_by_time_and_tags(self):
        row = {"metric": payloads.REQUESTS, "timestamp": 5, "value": 3, "tags": {"route": "all"}}
        other = {**row, "metric": "lychgate_retries_total"}
        self.assertEqual([(5, '{"route": "all"}', 3.0)], payloads.tsdb_rows(json.dumps([row, other])))
        with self.assertRaises(ValueError):
            payloads.tsdb_rows(json.dumps([{**row, "tags": {}}]))


class HecTest(unittest.TestCase):
    def event(self, query, status=200, sourcetype="lychgate:access"):
        return json.dumps({"time": 1.5, "sourcetype": sourcetype, "event": {"query": query, "status": status}})

    def test_events_follow_each_other(self):
        body = (self.event("7") + "\n" + self.event("8", 502) + "\n").encode()
        self.assertEqual([(7, 200), (8, 502)], payloads.hec_events(body))

    def test_what_is_no_event_of_the_access_log_is_refused(self):
        for body in (self.event("7")[:-2], self.event("7", sourcetype="x"), self.event("a=b")):
            with self.assertRaises(ValueError):
                payloads.hec_events(body.encode())


if __name__ == "__main__":
    unittest.main()
