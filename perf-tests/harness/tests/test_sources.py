"""Sources of peers are checked before they are built."""

import os
import tempfile
import unittest

from harness import grpc, sources, tools

_NGINX, _HAPROXY = sources.SOURCES


def _write(directory, name, text):
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class SourcesTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def refusal(self, source):
        with self.assertRaises(tools.Refused) as refused:
            source.build(self.directory)
        return str(refused.exception)

    def test_reads_the_version_of_nginx(self):
        _write(self.directory, "src/core/nginx.h", '#define nginx_version  1031005\n#define NGINX_VERSION      "1.31.5"\n')
        self.assertEqual(_NGINX.version(self.directory), "1.31.5")

    def test_reads_the_version_of_haproxy(self):
        _write(self.directory, "VERSION", "3.5-dev5\n")
        self.assertEqual(_HAPROXY.version(self.directory), "3.5-dev5")

    def test_refuses_a_directory_without_sources(self):
        self.assertIn("expected: the sources of haproxy", self.refusal(_HAPROXY))

    def test_refuses_an_unknown_version(self):
        _write(self.directory, "VERSION", "1.0\n")
        self.assertIn("haproxy 1.0 (expected: 3.5-dev5)", self.refusal(_HAPROXY))

    def test_refuses_changed_sources(self):
        _write(self.directory, "VERSION", "3.5-dev5\n")
        _write(self.directory, "src/http.c", "int changed;\n")
        self.assertIn("checksum of haproxy 3.5-dev5", self.refusal(_HAPROXY))

    def test_the_checksum_depends_on_names_and_contents(self):
        _write(self.directory, "src/a.c", "one")
        first = sources.digest(self.directory, "src")
        _write(self.directory, "src/a.c", "two")
        second = sources.digest(self.directory, "src")
        os.rename(os.path.join(self.directory, "src", "a.c"), os.path.join(self.directory, "src", "b.c"))
        self.assertEqual(len({first, second, sources.digest(self.directory, "src")}), 3)


class GrpcMessagesTest(unittest.TestCase):
    def test_a_message_follows_its_length(self):
        self.assertEqual(grpc.messages(3, 2), b"\0\0\0\0\3\0\0\0" * 2)


if __name__ == "__main__":
    unittest.main()
