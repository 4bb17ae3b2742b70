"""Parsers for the output of other programs."""

import unittest

from harness import ab, envoy, h2load, jvm, slowhttptest, syscalls, tools, wrk

_WRK = """\
Running 1s test @ http://127.0.0.1:8080/1k
  1 threads and 64 connections

SUMMARY {"requests": 500, "micros": 2000000, "bytes": 600000, "p50": 1500, "p99": 15010, "p999": 18000, "max": 20000, \
"connect": 1, "read": 2, "write": 0, "status": 3, "timeout": 4}
"""

_AB = """\
Concurrency Level:      200
Complete requests:      5000
Failed requests:        7
   (Connect: 0, Receive: 0, Length: 7, Exceptions: 0)
Non-2xx responses:      3
Keep-Alive requests:    4990
Requests per second:    4529.67 [#/sec] (mean)
Time per request:       44.153 [ms] (mean)
Time per request:       0.221 [ms] (mean, across all concurrent requests)
Percentage of the requests served within a certain time (ms)
  50%     20
  99%    297
 100%    412 (longest request)
"""

_H2LOAD = """\
finished in 355.30ms, 7036.01 req/s, 8.50MB/s
requests: 2500 total, 2500 started, 2500 done, 2490 succeeded, 10 failed, 4 errored, 6 timeout
status codes: 2490 2xx, 0 3xx, 0 4xx, 10 5xx
"""

_HISTOGRAM = """\
 num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:         20411        2160536  [B (java.base@17.0.15)
 812:             3            240  io.netty.handler.ssl.OpenSslServerContext
 813:             2            240  io.netty.handler.ssl.JdkSslServerContext
 814:             7            240  io.netty.handler.ssl.JdkSslServerContext$1
"""

_STRACE = """\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 55.02    0.500000          50     10000       120 recvfrom
 44.98    0.400000          40     10000           sendto
------ ----------- ----------- --------- --------- ----------------
100.00    0.900000          45     20000       120 total
"""

# One example per collector; the two generations are summed, spaces within them are not.
_HEAPS = {
    "serial, JDK 17": (
        " def new generation   total 39296K, used 10K [0x1, 0x2, 0x3)\n"
        "  eden space 34944K,   0% used [0x1, 0x2, 0x3)\n"
        " tenured generation   total 87424K, used 2244K [0x1, 0x2, 0x3)\n"
        "   the space 87424K,   2% used [0x1, 0x2, 0x3, 0x4)\n"
        " Metaspace       used 8940K, committed 9088K, reserved 1114112K\n"
        "  class space    used 1062K, committed 1152K, reserved 1048576K\n",
        2254,
    ),
    "serial, JDK 25": (
        "DefNew     total 39296K, used 0K [0x1, 0x2, 0x3)\n eden space 34944K,   0% used [0x1, 0x2, 0x3)\n"
        "Tenured    total 87424K, used 3054K [0x1, 0x2, 0x3)\n",
        3054,
    ),
    "parallel": (
        " PSYoungGen      total 38400K, used 5K [0x1, 0x2, 0x3)\n  eden space 33280K, 0% used [0x1,0x2,0x3)\n"
        " ParOldGen       total 87552K, used 2242K [0x1, 0x2, 0x3)\n  object space 87552K, 2% used [0x1,0x2,0x3)\n",
        2247,
    ),
    "G1, JDK 17": (" garbage-first heap   total 14336K, used 2880K [0x1, 0x2)\n  region size 1024K, 0 young (0K)\n", 2880),
    "G1, JDK 25": ("garbage-first heap   total reserved 131072K, committed 17408K, used 6598K [0x1, 0x2)\n", 6598),
    "ZGC": (" ZHeap           used 8M, capacity 128M, max capacity 128M\n", 8192),
}


class ParsingTest(unittest.TestCase):
    def test_instances_are_counted_by_the_ends_of_their_classes_names(self):
        self.assertEqual(jvm.parse_instances(_HISTOGRAM, ("SslServerContext",)), 5)
        with self.assertRaises(tools.Refused):
            jvm.parse_instances("no histogram", ("SslServerContext",))

    def test_reads_the_summary_of_wrk(self):
        seen = wrk.parse(_WRK)
        self.assertEqual((seen.requests, seen.rate, seen.p99_ms, seen.error_count), (500, 250.0, 15.01, 10))
        self.assertEqual(seen.length, 600_000)

    def test_refuses_what_is_no_summary(self):
        for parse in (wrk.parse, ab.parse, h2load.parse, jvm.parse_heap):
            with self.assertRaises(tools.Refused):
                parse("something else")

    def test_reads_the_version_of_envoy(self):
        shown = "\n/opt/bin/envoy  version: 6bc1/1.40.0/Clean/RELEASE/BoringSSL\n\n"
        self.assertEqual(envoy.parse_version(shown), "1.40.0")

    def test_reads_failures_of_ab(self):
        seen = ab.parse(_AB)
        self.assertEqual((seen.complete, seen.failed, seen.not_2xx, seen.keep_alive), (5000, 7, 3, 4990))
        self.assertEqual((seen.p99_ms, seen.longest_ms, seen.mean_ms), (297, 412, 44.153))
        self.assertEqual(seen.failures, {"connect": 0, "receive": 0, "length": 7, "exceptions": 0})

    def test_takes_a_missing_line_of_ab_for_none(self):
        self.assertEqual(ab.parse(_AB.replace("Non-2xx responses:      3\n", "")).not_2xx, 0)

    def test_reads_counts_of_h2load(self):
        seen = h2load.parse(_H2LOAD)
        self.assertEqual((seen.succeeded, seen.failed, seen.errored, seen.timeout), (2490, 10, 4, 6))
        self.assertEqual((seen.status_2xx, seen.rate), (2490, 7036.01))

    def test_reads_the_end_and_the_table_of_slowhttptest(self):
        shown = "Test ended on 3th second\nExit status: \x1b[1;32mNo open connections left\x1b[0m\n"
        table = "Seconds,Closed,Pending,Connected,Service Available\n0,0,1,0,200\n1,0,0,200,0\n2,88,0,112,200\n"
        seen = slowhttptest.parse(shown, table)
        self.assertEqual(seen.ended, "No open connections left")
        self.assertEqual((seen.available, seen.unavailable, seen.connected), (2, 1, 200))
        with self.assertRaises(tools.Refused):
            slowhttptest.parse("unexpected", table)

    def test_counts_system_calls_with_and_without_errors(self):
        self.assertEqual(syscalls.parse(_STRACE), {"recvfrom": 10000, "sendto": 10000})

    def test_adds_up_the_heap_of_each_collector(self):
        for name, (shown, kilobytes) in _HEAPS.items():
            with self.subTest(name):
                self.assertEqual(jvm.parse_heap(shown), kilobytes * 1024)

    def test_finds_the_processors_the_jvm_uses(self):
        self.assertEqual(jvm.parse_processors("x\nCPU: total 2 (initial active 1) (2 cores per cpu)\n"), 1)
        self.assertEqual(jvm.parse_processors("x\nCPU:total 4 (4 cores)\n"), 4)

    def test_finds_memory_off_the_heap(self):
        shown = "-                     Other (reserved=10KB, committed=10KB)\n"
        self.assertEqual(jvm.parse_off_heap(shown), 10240)
        self.assertIsNone(jvm.parse_off_heap("Native memory tracking is not enabled"))


class LoadedClassesTest(unittest.TestCase):
    def test_classes_of_all_loaders(self):
        shown = (
            "ClassLoader         Parent              CLD*               Classes   ChunkSz   BlockSz  Type\n"
            "0x0000000000000000  0x0000000000000000  0x00007f1c20000001    2400   1000000    900000  <boot class loader>\n"
            "Total = 4                                                     2499   1479296   1146236  \n"
        )
        self.assertEqual(jvm.parse_classes(shown), 2499)

    def test_metaspace_with_its_class_space(self):
        shown = (
            "Usage:\n"
            "  Non-class:      7.67 MB used.\n"
            "      Class:      1.25 MB used.\n"
            "       Both:      9.25 MB used.\n"
            "\n"
            "Virtual space:\n"
            "             Both:        1.06 GB reserved,       8.88 MB ( <1%) committed. \n"
        )
        self.assertEqual(jvm.parse_metaspace(shown), int(9.25 * 2**20))

    def test_what_is_not_understood_is_said(self):
        for parse in (jvm.parse_classes, jvm.parse_metaspace):
            with self.assertRaises(tools.Refused):
                parse("nothing")


if __name__ == "__main__":
    unittest.main()
