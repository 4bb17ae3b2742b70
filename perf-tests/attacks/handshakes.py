"""Each attack on TLS: what its connections do, and what has to become of them."""

import ssl
from dataclasses import dataclass
from typing import Optional

# What a connection says of its handshake.
NOTHING, DRIPS, HELLO, NEARLY_ALL = "nothing", "the ClientHello byte by byte", "the ClientHello", "all but the last byte"
# What the openssl command does after or with one handshake after the other.
FLOOD, RENEGOTIATION, KEY_UPDATES = "flood", "renegotiation", "KeyUpdate"


@dataclass(frozen=True)
class Handshakes:
    name: str
    says: str
    connections: int
    version: Optional[ssl.TLSVersion] = None
    # What becomes of each connection: "timeout", "refused", or nothing if its handshakes are whole.
    ends_by: str = ""
    # KiB that one connection may cost: in pinned buffers, and in resident memory, BoringSSL's own included.
    pinned_each: int = 20
    resident_each: int = 96
    # Connections begun per second; 0 = as many as there may be. A ClientHello costs the gateway a signature, and those that
    # come faster than it can sign wait to be accepted: that is the flood's matter.
    pace: float = 0


def all_of_them(connections):
    """``connections`` are held by those attacks that hold some."""
    old, new = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3
    few, pace = min(connections, 500), connections / 6
    return [
        Handshakes("TLS, silent connections", NOTHING, connections, None, "timeout", 1, 24),
        Handshakes("TLS, ClientHello byte by byte", DRIPS, connections, new, "timeout"),
        Handshakes("TLS 1.3, nothing behind ClientHello", HELLO, connections, new, "timeout", pace=pace),
        Handshakes("TLS 1.2, nothing behind ClientHello", HELLO, connections, old, "timeout", pace=pace),
        Handshakes("TLS 1.3, Finished without its last byte", NEARLY_ALL, few, new, "timeout", pace=few / 6),
        Handshakes("TLS 1.2, Finished without its last byte", NEARLY_ALL, few, old, "timeout", pace=few / 6),
        Handshakes("TLS, flood of whole handshakes", FLOOD, 4),
        Handshakes("TLS 1.2, renegotiation by the client", RENEGOTIATION, 4, old, "refused"),
        Handshakes("TLS 1.3, flood of KeyUpdate", KEY_UPDATES, 4, new, "refused"),
    ]
