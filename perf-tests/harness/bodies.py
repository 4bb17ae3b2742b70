"""Large bodies over plain sockets, hashed while streaming and never stored."""

import hashlib
import socket
import time
from dataclasses import dataclass

from . import wire

MIB = 1 << 20
_PIECE = 256 * 1024
# Small enough that the gateway quickly detects a client that does not read.
_RECEIVE_BUFFER = 256 * 1024


@dataclass(frozen=True)
class Transfer:
    length: int
    sha256: str
    seconds: float

    def __str__(self):
        return f"{self.length / MIB:.0f} MiB in {self.seconds:.1f} s, sha256 {self.sha256[:16]}…"


def download(port, path, pause_after=None, pause=0.0, during_pause=None, piece_pause=0.0, timeout=60.0):
    """GETs a body of known length.

    pause_after: bytes after which the client stops reading for ``pause`` seconds; ``during_pause`` is called in the
    middle. piece_pause: seconds between two reads, for a client that is always slow.
    """
    digest, received, began = hashlib.sha256(), 0, time.monotonic()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
        connection.settimeout(timeout)
        connection.connect((wire.HOST, port))
        connection.sendall(wire.request_head(port, path, Connection="close"))
        with connection.makefile("rb", buffering=_PIECE) as stream:
            status, headers = wire.read_head(stream)
            if status != 200 or "content-length" not in headers:
                raise ValueError(f"{path}: status {status}, fields {headers} (expected: 200 with Content-Length)")
            length = int(headers["content-length"])
            piece = memoryview(bytearray(_PIECE))
            while received < length:
                try:
                    count = stream.readinto1(piece[: min(_PIECE, length - received)])
                except ConnectionError as failure:
                    raise wire.CutShort(f"{failure} after {received} of {length} bytes") from None
                if count == 0:
                    raise wire.CutShort(f"the body ended after {received} of {length} bytes")
                digest.update(piece[:count])
                received += count
                if pause_after is not None and received >= pause_after:
                    pause_after = None
                    _pause(pause, during_pause)
                if piece_pause:
                    time.sleep(piece_pause)
    return Transfer(received, digest.hexdigest(), time.monotonic() - began)


def _pause(seconds, during):
    over = time.monotonic() + seconds
    time.sleep(seconds / 2)
    if during is not None:
        during()
    time.sleep(max(0.0, over - time.monotonic()))


def upload(port, path, length, timeout=60.0):
    """POSTs a body without equal chunks; returns the sent hash and the origin's response."""
    digest, sent, began = hashlib.sha256(), 0, time.monotonic()
    piece = bytearray(hashlib.shake_256(b"lychgate").digest(_PIECE))
    with socket.create_connection((wire.HOST, port), timeout) as connection:
        connection.sendall(wire.request_head(port, path, "POST", Content_Length=length, Connection="close"))
        while sent < length:
            # The offset in the body: swapped, lost or repeated chunks change the hash.
            piece[:8] = sent.to_bytes(8, "big")
            part = memoryview(piece)[: min(_PIECE, length - sent)]
            digest.update(part)
            connection.sendall(part)
            sent += len(part)
        with connection.makefile("rb") as stream:
            answer = wire.read_answer(stream)
    return Transfer(sent, digest.hexdigest(), time.monotonic() - began), answer
