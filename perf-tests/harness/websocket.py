"""WebSockets over plain sockets, limited to the needs of the scripts."""

import base64
import hashlib
import os
import socket

from . import wire

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Refused(Exception):
    """The handshake response was not a valid 101."""


def connect(port, path="/ws", timeout=30.0):
    """A socket for frames, and a stream to read them from."""
    connection = socket.create_connection((wire.HOST, port), timeout)
    key = base64.b64encode(os.urandom(16))
    head = wire.request_head(
        port,
        path,
        Connection="Upgrade",
        Upgrade="websocket",
        Sec_WebSocket_Version="13",
        Sec_WebSocket_Key=key.decode("ascii"),
    )
    connection.sendall(head)
    stream = connection.makefile("rb")
    status, fields = wire.read_head(stream)
    accept = base64.b64encode(hashlib.sha1(key + _GUID).digest()).decode("ascii")
    if status != 101 or fields.get("sec-websocket-accept") != accept:
        connection.close()
        raise Refused(f"status {status}, {fields}")
    return connection, stream


def frame(opcode, payload, fin=True):
    """A client frame, masked with 0, which leaves the payload unchanged."""
    length = len(payload)
    first = bytes([(0x80 if fin else 0) | opcode])
    if length < 126:
        head = first + bytes([0x80 | length])
    elif length < 65_536:
        head = first + bytes([0x80 | 126]) + length.to_bytes(2, "big")
    else:
        head = first + bytes([0x80 | 127]) + length.to_bytes(8, "big")
    return head + bytes(4) + payload


def read_frame(stream):
    """(opcode, fin, payload) of the next frame; None at the end of the connection."""
    head = stream.read(2)
    if len(head) < 2:
        return None
    length = head[1] & 0x7F
    if length == 126:
        length = int.from_bytes(stream.read(2), "big")
    elif length == 127:
        length = int.from_bytes(stream.read(8), "big")
    return head[0] & 0x0F, head[0] >= 0x80, stream.read(length)
