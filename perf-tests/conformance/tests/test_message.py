"""The strict parser: accepted messages and reported faults."""

import unittest

from conformance import message

_HEAD = b"POST /a HTTP/1.1\r\nHost: example.com\r\n"


def _faults(*lines, body=b""):
    return message.read_request(_HEAD + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + body)[0].faults


class StrictReader(unittest.TestCase):
    def test_reads_one_request_after_the_other(self):
        first = _HEAD + b"Content-Length: 5\r\n\r\nhello"
        second = _HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nworld\r\n0\r\nX-T: 1\r\n\r\n"
        found, rest = message.read_requests(first + second + b"GET")
        self.assertEqual([one.body for one in found], [b"hello", b"world"])
        self.assertEqual(found[1].trailers, [(b"X-T", b"1")])
        self.assertEqual([one.faults for one in found], [[], []])
        self.assertEqual(rest, b"GET")

    def test_a_cut_body_is_not_whole(self):
        for body in (b"5\r\nhello\r\n", b"5\r\nhello\r\n0\r\n", b"5\r\nhel"):
            one, _ = message.read_request(_HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + body)
            self.assertFalse(one.complete)
            self.assertEqual(one.faults, [])

    def test_calls_what_readers_take_differently_a_fault(self):
        for lines in (
            (b"Transfer-Encoding: chunked", b"Content-Length: 5"),
            (b"Transfer-Encoding: xchunked",),
            (b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"),
            (b"Content-Length: 5", b"Content-Length: 5"),
            (b"Content-Length: +5",),
            (b"Host: example.com",),
            (b"X-A : 1",),
            (b"X-A: 1", b" folded"),
            (b"X-A: a\rb",),
            (b"X-A: a\nb",),
            (b"X-A: a\x00b",),
            (b"X A: 1",),
        ):
            self.assertTrue(_faults(*lines, body=b"hello"), lines)

    def test_calls_a_lenient_chunk_line_a_fault(self):
        for body in (b"0x5\r\nhello\r\n", b"+5\r\nhello\r\n", b"5\nhello\r\n", b"5\r\nhelloX\r\n", b"5 5\r\nhello\r\n"):
            self.assertTrue(_faults(b"Transfer-Encoding: chunked", body=body + b"0\r\n\r\n"), body)

    def test_knows_which_answers_have_no_body(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        answers = b"HTTP/1.1 103 X\r\n\r\n" + head + b"HTTP/1.1 304 X\r\nContent-Length: 9\r\n\r\n" + head + b"hello"
        found, rest = message.read_responses(answers, (b"HEAD", b"GET", b"GET"), False)
        self.assertEqual([one.status for one in found], [103, 200, 304, 200])
        self.assertEqual([one.body for one in found], [b"", b"", b"", b"hello"])
        self.assertEqual(rest, b"")

    def test_a_body_without_framing_ends_with_the_connection(self):
        answer = b"HTTP/1.1 200 OK\r\n\r\nhel"
        self.assertFalse(message.read_responses(answer, (), False)[0][0].complete)
        self.assertTrue(message.read_responses(answer, (), True)[0][0].complete)


if __name__ == "__main__":
    unittest.main()
