"""One origin, one process, which fails on command.

Modes: ``ok N`` responds with 200 after N milliseconds, ``status N`` responds with that status immediately, ``stall``
accepts and never responds, ``cut`` sends a head and half of the body and then resets. ``/health`` follows the mode,
except for ``cut``: a response that short is complete. A GET of ``/mode/NAME/N`` on the control port sets the mode.

Each complete request is logged: its number (the query), method, time and action. Each record is one write, so that no
record is lost when the process is killed.
"""

import argparse
import asyncio
import os
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from chaos import process
from harness import wire

_BODY = b"x" * 1024
_CUT_AFTER = 0.03


class State:
    def __init__(self, log):
        self.mode, self.number = "ok", 10
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def note(self, number, method):
        os.write(self._log, f"{number} {method} {time.monotonic():.4f} {self.mode}\n".encode())


class Conversation(asyncio.Protocol):
    """One connection, with sequential requests."""

    def __init__(self, state):
        self.state = state
        self.kept = b""
        self.busy = False
        self.transport = None

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, _failure):
        self.transport = None

    def data_received(self, data):
        self.kept += data
        self._next()

    def _next(self):
        end = self.kept.find(b"\r\n\r\n")
        if self.busy or end < 0:
            return
        lines = self.kept[:end].split(b"\r\n")
        length = next((int(line[15:]) for line in lines[1:] if line[:15].lower() == b"content-length:"), 0)
        if len(self.kept) < end + 4 + length:
            return
        self.kept = self.kept[end + 4 + length :]
        self.busy = True
        method, target, _ = lines[0].decode("latin-1").split(" ")
        self._serve(method, target)

    def _serve(self, method, target):
        state, loop = self.state, asyncio.get_running_loop()
        if target != "/health":
            state.note(target.partition("?")[2], method)
        elif state.mode in ("ok", "cut"):
            self._answer(200)
            return
        if state.mode == "ok":
            loop.call_later(state.number / 1000, self._answer, 200)
        elif state.mode == "status":
            self._answer(state.number)
        elif state.mode == "cut":
            self._write(_head(200) + _BODY[: len(_BODY) // 2])
            loop.call_later(_CUT_AFTER, self._reset)

    def _answer(self, status):
        self._write(_head(status) + _BODY)
        self.busy = False
        self._next()

    def _write(self, data):
        if self.transport is not None:
            self.transport.write(data)

    def _reset(self):
        if self.transport is not None:
            connection = self.transport.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()


class Control(asyncio.Protocol):
    def __init__(self, state):
        self.state = state

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        parts = data.split(b" ", 2)[1].decode("ascii").split("/")
        if parts[1] == "mode":
            self.state.mode = parts[2]
            self.state.number = int(parts[3]) if len(parts) > 3 else 0
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        self.transport.close()


def _head(status):
    return b"HTTP/1.1 %d Said So\r\nContent-Length: %d\r\n\r\n" % (status, len(_BODY))


async def run(chosen):
    stop, state, loop = process.stop_signal(), State(chosen.log), asyncio.get_running_loop()
    state.number = chosen.delay
    await loop.create_server(lambda: Conversation(state), wire.HOST, chosen.port, backlog=1024)
    await loop.create_server(lambda: Control(state), wire.HOST, chosen.control)
    await stop.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--control", type=int, required=True, help="port that receives the mode")
    parser.add_argument("--delay", type=int, default=10, help="of its responses, ms")
    parser.add_argument("--log", required=True)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
