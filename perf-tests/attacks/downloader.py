"""A well-behaved client that downloads on several connections, one download after another on each."""

import argparse
import json
import socket
import threading
import time

_HOST = "127.0.0.1"
_TIMEOUT = 30


def download(line, buffer, length):
    """Returns whether a complete response arrived, and whether the connection is reusable."""
    line.sendall(f"GET /?length={length} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode("ascii"))
    head, count = b"", 0
    while b"\r\n\r\n" not in head:
        count = line.recv_into(buffer)
        if not count:
            return False
        head += bytes(buffer[:count])
    if not head.startswith(b"HTTP/1.1 200"):
        return False
    got = len(head) - head.index(b"\r\n\r\n") - 4
    while got < length:
        count = line.recv_into(buffer)
        if not count:
            return False
        got += count
    return True


def run(port, length, until, rows):
    buffer = memoryview(bytearray(256 << 10))
    line = None
    while time.monotonic() < until:
        begun = time.monotonic()
        good = False
        try:
            if line is None:
                line = socket.create_connection((_HOST, port), _TIMEOUT)
            good = download(line, buffer, length)
        except OSError:
            pass
        if not good and line is not None:
            line.close()
            line = None
        rows.append((begun, time.monotonic(), good))
        if not good:
            time.sleep(0.01)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--length", type=int, default=2_000_000)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--report", required=True)
    chosen = parser.parse_args()
    until = time.monotonic() + chosen.seconds
    rows = []
    arguments = (chosen.port, chosen.length, until, rows)
    threads = [threading.Thread(target=run, args=arguments, daemon=True) for _ in range(chosen.connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(chosen.seconds + _TIMEOUT)
    with open(chosen.report, "w", encoding="utf-8") as report:
        json.dump(sorted(rows), report)


if __name__ == "__main__":
    main()
