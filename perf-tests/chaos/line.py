"""The connection of a faulty client."""

import asyncio
import re
import socket
import struct

from harness import wire

# Longer than any timeout of the gateway: a connection that is still open then has leaked.
_PATIENCE = 20
_FINAL = re.compile(rb"HTTP/1\.1 ([2-5]\d\d) ")
# Longer than what the expression takes.
_LONGEST = 20


class Kept(Exception):
    """The gateway did not close a connection that it had to close."""


class Line:
    def __init__(self, port):
        self.port = port
        self.count = 0
        self.status = None
        self._tail = b""
        self.ending = "left"
        self._loop = asyncio.get_running_loop()
        self._socket = socket.socket()
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def receive_little(self):
        """Must be called before the connection is opened."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)

    async def open(self):
        await self._within(self._loop.sock_connect(self._socket, (wire.HOST, self.port)))

    async def say(self, octets):
        await self._within(self._loop.sock_sendall(self._socket, octets))

    async def hear(self, most=1 << 16):
        """Bytes from the gateway; empty at its end."""
        octets = await self._within(self._loop.sock_recv(self._socket, most))
        self.count += len(octets)
        if self.status is None:
            # After any number of interim responses.
            self._tail = self._tail[-_LONGEST:] + octets
            found = _FINAL.search(self._tail)
            self.status = found and found[1].decode()
        if not octets:
            self.ending = "closed"
        return octets

    async def hear_some(self, least):
        while self.count < least and await self.hear():
            pass

    async def hear_all(self):
        while await self.hear():
            pass

    def half_close(self):
        self._socket.shutdown(socket.SHUT_WR)

    def reset(self):
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def close(self):
        self._socket.close()

    def outcome(self):
        """The status of the first final response, otherwise the kind of end."""
        return self.status or self.ending

    async def _within(self, action):
        try:
            return await asyncio.wait_for(action, _PATIENCE)
        except asyncio.TimeoutError:
            raise Kept from None
