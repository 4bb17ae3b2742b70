"""Checks of a case's result. A check receives the observation and returns None, or the reason for the failure."""


def refused(*statuses, close=False):
    """No byte reached the origin, and the client received one of these statuses."""
    allowed = statuses or tuple(range(400, 600))

    def look(seen):
        if seen.origin_bytes:
            return f"it was forwarded: {seen.origin_bytes[:90]!r}"
        if not seen.finals:
            return f"no response ({seen.ending})"
        first = seen.finals[0]
        if first.status not in allowed:
            return f"answered {first.status}, not {_any_of(allowed)}"
        if close and seen.ending == "open":
            return f"answered {first.status}, but the connection was left open"
        return None

    return look


def aborted(*statuses, silent=True):
    """Rejected within the body: the origin may have received the beginning, but never a whole request."""
    allowed = statuses or tuple(range(400, 600))

    def look(seen):
        whole = [message for message in seen.requests if message.complete]
        if whole:
            return f"the origin got a whole request with body {whole[0].body[:40]!r}"
        if seen.finals and seen.finals[0].status not in allowed:
            return f"answered {seen.finals[0].status}, not {_any_of(allowed)}"
        if not seen.finals and not silent:
            return f"no response ({seen.ending})"
        if seen.ending == "open":
            return "the connection was left open"
        return None

    return look


def never_whole(seen):
    """The origin never received a whole request."""
    whole = [message for message in seen.requests if message.complete]
    return f"the origin got a whole request with body {whole[0].body[:40]!r}" if whole else None


def forwarded(count=1, method=None, target=None, version=None, body=None, has=None, lacks=(), at=0):
    """This number of whole requests reached the origin; the one at position ``at`` matches."""

    def look(seen):
        whole = [message for message in seen.requests if message.complete]
        if len(whole) != count:
            answers = [message.status for message in seen.finals]
            return f"{len(whole)} whole requests reached the origin, not {count} (responses {answers}, {seen.ending})"
        if not count:
            return None
        message = whole[at]
        for what, wanted, found in (
            ("method", method, message.method),
            ("target", target, message.target),
            ("version", version, message.version),
            ("body", body, message.body),
        ):
            allowed = wanted if isinstance(wanted, (tuple, list)) else (wanted,)
            if wanted is not None and found not in allowed:
                return f"{what} at the origin is {found[:80]!r}, not {_any_of(allowed)}"
        return _fields(message, has, lacks, "at the origin")

    return look


def answered(*statuses, body=None, has=None, lacks=(), at=0, count=None, closed=False, opened=False):
    """The client received a complete response with one of these statuses (default 200)."""
    allowed = statuses or (200,)

    def look(seen):
        if len(seen.finals) <= at:
            return f"{len(seen.finals)} responses, not {at + 1} ({seen.ending})"
        if count is not None and len(seen.finals) != count:
            return f"{len(seen.finals)} responses, not {count}: {[one.status for one in seen.finals]}"
        message = seen.finals[at]
        if message.status not in allowed:
            return f"answered {message.status}, not {_any_of(allowed)}"
        if not message.complete:
            return f"the response is incomplete: {message.raw[-60:]!r} ({seen.ending})"
        if message.framing == "close" and seen.ending == "reset":
            return "the response ended with a reset"
        if body is not None and message.body != body:
            return f"body at the client is {message.body[:80]!r}, not {body[:80]!r}"
        if closed and seen.ending == "open":
            return "the connection was left open"
        if opened and seen.ending != "open":
            return f"the connection was {seen.ending}"
        return _fields(message, has, lacks, "at the client")

    return look


def passed(**wanted):
    """Forwarded; the client received the origin's 200."""
    return both(forwarded(**wanted), answered(200))


def cut(*statuses):
    """The origin's response was truncated: the client received an error or can detect the incomplete response."""
    allowed = statuses or (502, 504)

    def look(seen):
        if not seen.finals:
            return None if seen.ending != "open" else "no response, and the connection was left open"
        first = seen.finals[0]
        if first.status in allowed:
            return None
        if first.complete and not (first.framing == "close" and seen.ending == "reset"):
            return f"answered {first.status} with body {first.body[:40]!r}, framing {first.framing}: it looks whole"
        return "the connection was left open" if seen.ending == "open" else None

    return look


def closed(seen):
    return "the connection was left open" if seen.ending == "open" else None


def opened(seen):
    return None if seen.ending == "open" else f"the connection was {seen.ending}"


def both(*checks):
    def look(seen):
        for check in checks:
            reason = check(seen)
            if reason:
                return reason
        return None

    return look


def either(*checks):
    def look(seen):
        reasons = []
        for check in checks:
            reason = check(seen)
            if not reason:
                return None
            if reason not in reasons:
                reasons.append(reason)
        return "; ".join(reasons)

    return look


def _any_of(allowed):
    if len(allowed) > 20:
        return f"{allowed[0]} to {allowed[-1]}"
    return " or ".join(repr(one)[:80] for one in allowed)


def _fields(message, has, lacks, where):
    for name, wanted in (has or {}).items():
        value = message.value(name)
        if value is None:
            return f"no {name} {where}"
        good = wanted(value) if callable(wanted) else value == wanted
        if not good:
            return f"{name} {where} is {value[:80]!r}" + ("" if callable(wanted) else f", not {wanted!r}")
    for name in lacks:
        if message.value(name) is not None:
            return f"{name}: {message.value(name)[:80]!r} {where}"
    return None
