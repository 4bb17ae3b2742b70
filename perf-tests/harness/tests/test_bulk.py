"""Discarded bodies: all of their bytes, and none of the following."""

import socket
import threading
import unittest

from harness import bulk, sink
from harness.cases import Case

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n"


def pair():
    ours, theirs = socket.socketpair()
    bulk.set_patience(ours, 60)
    return ours, theirs


def tcp_pair():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = bulk.open_connection(listener.getsockname()[1], 60)
        theirs, _ = listener.accept()
        return ours, theirs


def run_uploads(seconds):
    """The result of uploads on one connection, and the number of accepted connections."""
    case = Case("up", "", "/upload", connections=1, upload=1_000_000)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        accepted = []

        def accept():
            accepted.append(listener.accept()[0])
            sink.serve(accepted[-1])

        threading.Thread(target=accept, daemon=True).start()
        return bulk.run(listener.getsockname()[1], case, seconds), len(accepted)


class BulkTest(unittest.TestCase):
    def test_head_is_read_over_several_pieces_and_tells_what_of_the_body_came_along(self):
        ours, theirs = pair()
        with ours, theirs:
            theirs.sendall(b"HTTP/1.1 200 OK\r\nContent-")
            later = threading.Timer(0.05, theirs.sendall, [b"Length: 5\r\n\r\nabc"])
            later.start()
            first, fields, began = bulk.read_head(ours)
            later.join()
        self.assertEqual((first, fields, began), ("HTTP/1.1 200 OK", {"content-length": "5"}, 3))

    def test_end_before_a_head_is_none_and_within_one_is_an_error(self):
        ours, theirs = pair()
        with ours:
            theirs.close()
            self.assertIsNone(bulk.read_head(ours))
        ours, theirs = pair()
        with ours:
            theirs.sendall(b"HTTP/1.1 2")
            theirs.close()
            with self.assertRaises(bulk.Broken):
                bulk.read_head(ours)

    def test_so_many_bytes_are_dropped_and_the_next_ones_are_left(self):
        ours, theirs = tcp_pair()
        with ours, theirs:
            sender = threading.Thread(target=theirs.sendall, args=(b"x" * 3_000_000 + b"next",))
            sender.start()
            bulk.Drain().take(ours, 3_000_000)
            self.assertEqual(ours.recv(4, socket.MSG_WAITALL), b"next")
            sender.join()

    def test_body_that_ends_early_is_an_error(self):
        ours, theirs = tcp_pair()
        with ours:
            theirs.sendall(b"x" * 10)
            theirs.close()
            with self.assertRaises(bulk.Broken):
                bulk.Drain().take(ours, 11)

    def test_uploads_reach_the_sink_whole_one_after_the_other_on_one_connection(self):
        seen, accepted = run_uploads(2)
        if seen.requests < 2:
            # The machine may have paused for most of the time.
            seen, accepted = run_uploads(10)
        self.assertGreater(seen.requests, 1)
        self.assertEqual((seen.length, seen.errors, accepted), (seen.requests * 1_000_000, 0, 1))

    def test_download_of_another_length_is_an_error(self):
        case = Case("down", "", "/", connections=1, download=100)
        with socket.create_server(("127.0.0.1", 0)) as listener:

            def answer():
                while True:
                    try:
                        connection, _ = listener.accept()
                    except OSError:
                        return
                    with connection:
                        bulk.read_head(connection)
                        connection.sendall(_HEAD % 99 + b"x" * 99)

            threading.Thread(target=answer, daemon=True).start()
            seen = bulk.run(listener.getsockname()[1], case, 3)
        self.assertEqual((seen.requests, seen.problems), (0, ("a body of 99 bytes (expected: 100)",)))
        self.assertGreater(seen.errors, 0)


if __name__ == "__main__":
    unittest.main()
