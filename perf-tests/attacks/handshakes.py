"""Each attack on TLS: the actions of its connections and their required outcome."""

import ssl
from dataclasses import dataclass
from typing import Optional

# Parts of the handshake that a connection sends.
NOTHING, DRIPS, HELLO, NEARLY_ALL = "nothing", "the ClientHello byte by byte", "the ClientHello", "all but the last byte"
# Actions of the openssl command during or after each handshake.
FLOOD, RENEGOTIATION, KEY_UPDATES = "flood", "renegotiation", "KeyUpdate"


@dataclass(frozen=True)
class Handshakes:
    name: str
    says: str
    connections: int
    version: Optional[ssl.TLSVersion] = None
    # Required outcome of each connection: "timeout", "refused", or empty if its handshakes are complete.
    ends_by: str = ""
    # Maximum cost of one connection in KiB: pinned buffers, and resident memory including BoringSSL's.
    pinned_each: int = 20
    resident_each: int = 96
    # New connections per second; 0 = unlimited. A ClientHello costs the gateway a signature; faster connections wait to
    # be accepted, which the flood attack covers.
    pace: float = 0


def all_of_them(connections):
    """``connections`` applies to attacks that keep connections open."""
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
