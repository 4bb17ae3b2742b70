"""The origins' request parser, and the parsers for metrics and logs."""

import asyncio
import os
import tempfile
import unittest

from chaos import aftermath, request
from chaos.gateway import Metrics


async def _read(octets):
    reader = asyncio.StreamReader()
    reader.feed_data(octets)
    reader.feed_eof()
    wanted = await request.read(reader, None)
    return wanted and (wanted.method, wanted.segments, *await wanted.digest())


def read(octets):
    return asyncio.run(_read(octets))


class RequestTest(unittest.TestCase):
    def test_reads_a_chunked_body(self):
        seen = read(b"POST /good/take HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n")
        self.assertEqual(seen[:3], ("POST", ["good", "take"], 5))

    def test_takes_an_end_between_or_within_requests_for_an_end(self):
        self.assertIsNone(read(b""))
        self.assertIsNone(read(b"GET /good/da"))
        with self.assertRaises(asyncio.IncompleteReadError):
            read(b"POST /good/take HTTP/1.1\r\nContent-Length: 9\r\n\r\nshort")

    def test_refuses_what_a_gateway_must_not_send_on(self):
        for octets in (
            b"\x16\x03\x01",
            b"GET  /good HTTP/1.1\r\n\r\n",
            b"GET /good HTTP/1.1\r\nBad Field: a\r\n\r\n",
            b"POST /good HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
            b"POST /good HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            b"POST /good HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
        ):
            with self.subTest(octets), self.assertRaises(request.Malformed):
                read(octets)


class MetricsTest(unittest.TestCase):
    def test_adds_up_what_the_labels_choose(self):
        idle, busy = 'a{state="idle",x="1"} 2.0\na{state="idle",x="2"} 3', 'a{state="busy",x="1"} 4'
        lines = (idle, busy, "b 5", "# HELP a it")
        metrics = Metrics("\n".join(lines))
        self.assertEqual(metrics.sum("a", state="idle"), 5)
        self.assertEqual(metrics.by("state", "a"), {"idle": 5, "busy": 4})
        self.assertEqual(metrics.sum("b"), 5)


class LogTest(unittest.TestCase):
    def test_finds_leaks_faults_and_traces(self):
        lines = (
            "2026-11-03T04:05:06.000Z INFO  Service - ready",
            "2026-11-03T04:05:06.000Z WARN  ErrorLog - connect-refused (502)",
            '2026-11-03T04:05:06.000Z WARN  slow - {"reason":"slow","path":"/mixed/fault/read-nothing"}',
            "2026-11-03T04:05:06.000Z WARN  Gateway - listener main: accepts 12576 connections instead of 20000",
            "2026-11-03T04:05:06.000Z ERROR ResourceLeakDetector - LEAK: ByteBuf.release() was not called",
            "java.lang.IllegalStateException: x",
            "\tat dev.lychgate.Some.line(Some.java:1)",
            "2026-11-03T04:05:06.000Z WARN  Service - drained, but exchanges that had not ended in time were aborted",
        )
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "log")
            with open(path, "w", encoding="utf-8") as log:
                log.write("\n".join(lines))
            self.assertEqual(aftermath.bad_lines(path), [line.rstrip() for line in lines[4:]])


if __name__ == "__main__":
    unittest.main()
