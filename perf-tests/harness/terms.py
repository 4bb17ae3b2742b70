"""Equal terms: every proxy under test forwards requests in the same way."""

from . import tools, wire
from .nginx import FORWARDING_FIELDS


def check(proxy):
    """Rejects a proxy that omits a forwarding field or does not keep origin connections alive."""
    answer = wire.get(proxy.port, "/terms")
    seen = dict(line.partition("=")[::2] for line in answer.text().splitlines())
    missing = [name for name in FORWARDING_FIELDS if not seen.get(name)]
    if missing:
        raise tools.Refused(f"{proxy.name} does not send {', '.join(missing)} to the origin: terms are not equal")
    if seen.get("protocol") != "HTTP/1.1" or seen.get("connection", "").lower() not in ("", "keep-alive"):
        raise tools.Refused(f"{proxy.name} does not keep connections to the origin alive: {seen}")
