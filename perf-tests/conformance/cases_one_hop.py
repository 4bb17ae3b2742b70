"""Hop-by-hop fields, and fields that Connection must not remove (RFC 9110, 7.6.1)."""

import re

from .case import CHUNKED, Case, GOOD, HELLO, MUST, SHOULD, SMUGGLED, get, ok, post, request, response
from .check import answered, both, either, forwarded, passed, refused


def _nominated():
    for name, nominating, field in (
        ("plain", b"Connection: X-A", b"X-A: 1"),
        ("case", b"Connection: x-a", b"X-A: 1"),
        ("list", b"Connection: x-b, X-A , x-c", b"X-A: 1"),
        ("two-lines", b"Connection: x-b\r\nConnection: X-A", b"X-A: 1"),
        ("empty-items", b"Connection: ,, X-A,,", b"X-A: 1"),
        ("with-close", b"Connection: close, X-A", b"X-A: 1"),
        ("with-keep-alive", b"Connection: keep-alive,X-A", b"X-A: 1"),
        ("behind", b"Connection: X-A", b"X-A: 1\r\nX-A: 2"),
    ):
        before = get(b"/a", field, nominating)
        yield Case(
            f"nominate-{name}",
            f"a field that {nominating!r} nominates is removed",
            "9110 7.6.1",
            MUST,
            before,
            passed(lacks=("X-A",)),
        )
    yield Case(
        "nominate-connection",
        "Connection itself is removed or replaced",
        "9110 7.6.1",
        MUST,
        get(b"/a", b"Connection: X-A, X-B"),
        both(
            passed(),
            lambda seen: (
                "its options were sent on" if {b"x-a", b"x-b"} & set(seen.requests[0].items("Connection")) else None
            ),
        ),
    )
    yield Case(
        "nominate-host",
        "Host can't be nominated away",
        "9112 3.2",
        MUST,
        get(b"/a", b"Connection: Host"),
        either(refused(400), passed(has={"Host": lambda value: bool(value)})),
    )
    yield Case(
        "nominate-content-length",
        "Content-Length can't be nominated away",
        "9112 6.3",
        MUST,
        post(b"Connection: Content-Length", b"Content-Length: %d" % len(SMUGGLED), body=SMUGGLED),
        either(refused(400), passed(body=SMUGGLED)),
    )
    yield Case(
        "nominate-transfer-encoding",
        "Transfer-Encoding can't be nominated away",
        "9112 6.3",
        MUST,
        post(b"Connection: Transfer-Encoding", CHUNKED, body=b"%x\r\n" % len(SMUGGLED) + SMUGGLED + b"\r\n0\r\n\r\n"),
        either(refused(400), passed(body=SMUGGLED)),
    )
    own = lambda value: re.search(rb"(^|, *)1\.1 \S+$", value) is not None
    for name in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via"):
        yield Case(
            f"nominate-{name.lower()}",
            f"the proxy's own {name} can't be nominated away",
            "9110 7.6.1",
            MUST if name == "Via" else GOOD,
            get(b"/a", b"Connection: " + name.encode(), name.encode() + b": evil"),
            either(
                refused(400),
                passed(has={name: own if name == "Via" else lambda value: bool(value) and b"evil" not in value}),
            ),
        )
    for name in ("Authorization", "Cookie", "X-Api-Key"):
        yield Case(
            f"nominate-{name.lower()}",
            f"{name} that is nominated is removed, or the request refused",
            "9110 7.6.1",
            MUST,
            get(b"/a", b"Connection: " + name.encode(), name.encode() + b": secret"),
            either(refused(400), passed(lacks=(name,))),
        )
    yield Case(
        "nominate-answer",
        "a field that the origin's Connection nominates is removed",
        "9110 7.6.1",
        MUST,
        get(b"/a"),
        answered(lacks=("X-A",)),
        answers=(ok(b"Connection: X-A", b"X-A: 1"),),
    )
    yield Case(
        "nominate-answer-case",
        "the same in other cases, and several",
        "9110 7.6.1",
        MUST,
        get(b"/a"),
        answered(lacks=("X-A", "X-B")),
        answers=(ok(b"Connection: x-a, close", b"Connection: X-b", b"X-A: 1", b"X-B: 1"),),
    )
    yield Case(
        "nominate-answer-length",
        "the origin can't nominate Content-Length away",
        "9112 6.3",
        MUST,
        get(b"/a"),
        either(answered(502), answered(200, body=b"ok")),
        answers=(ok(b"Connection: Content-Length"),),
        until_end=True,
        patience=1,
    )


_TRAILER = b"2\r\nok\r\n0\r\nX-A: 1\r\n\r\n"
_TWO_TRAILERS = b"2\r\nok\r\n0\r\nx-a: 1\r\nX-B: 2\r\nX-B: 3\r\n\r\n"


def _nominated_trailers():
    def lacks(messages, place):
        def look(seen):
            found = [trailer for one in messages(seen) for trailer in one.trailers]
            return f"the trailers {found!r} were sent on {place}" if found else None

        return look

    for name, nominating, body in (
        ("plain", (b"Connection: X-A",), _TRAILER),
        ("case", (b"Connection: x-a",), _TRAILER),
        ("several", (b"Connection: x-A, close", b"Connection: x-b"), _TWO_TRAILERS),
    ):
        yield Case(
            f"nominate-trailer-{name}",
            f"trailers that {nominating!r} nominates are removed",
            "9110 7.6.1",
            MUST,
            post(CHUNKED, *nominating, body=body),
            both(passed(body=b"ok"), lacks(lambda seen: seen.requests, "to the origin")),
        )
        yield Case(
            f"nominate-answer-trailer-{name}",
            f"trailers of a response that {nominating!r} nominates are removed",
            "9110 7.6.1",
            MUST,
            get(b"/a"),
            both(answered(body=b"ok"), lacks(lambda seen: seen.finals, "to the client")),
            answers=(response(b"HTTP/1.1 200 OK", CHUNKED, *nominating, body=body),),
        )
    yield Case(
        "nominate-trailer-others",
        "a nomination is for its own message: the next one may have such a trailer",
        "9110 7.6.1",
        MUST,
        post(CHUNKED, b"Connection: X-A", body=_TRAILER) + post(CHUNKED, b"Connection: X-B", body=_TRAILER),
        both(forwarded(count=2, body=b"ok", at=1), lacks(lambda seen: seen.requests[:1], "to the origin")),
        expect=2,
    )


def _one_hop():
    for name, line in (
        ("Keep-Alive", b"Keep-Alive: timeout=5"),
        ("Proxy-Connection", b"Proxy-Connection: keep-alive"),
        ("TE", b"TE: trailers, deflate"),
        ("Upgrade", b"Upgrade: h2c"),
    ):
        yield Case(
            f"hop-{name.lower()}",
            f"{name} is not forwarded, even without a nomination",
            "9110 7.6.1",
            SHOULD,
            get(b"/a", line),
            passed(lacks=(name,)),
        )
        yield Case(
            f"hop-{name.lower()}-nominated",
            f"{name} is not sent on when nominated, unless as the proxy's own",
            "9110 7.6.1",
            MUST,
            get(b"/a", line, b"Connection: " + name.encode()),
            both(
                passed(),
                lambda seen, name=name: (
                    f"{name} was sent on without Connection"
                    if seen.requests[0].value(name)
                    and name.lower().encode() not in seen.requests[0].items("Connection")
                    else None
                ),
            ),
        )
        if name == "TE":
            continue
        yield Case(
            f"hop-answer-{name.lower()}",
            f"{name} of a response is not forwarded",
            "9110 7.6.1",
            SHOULD,
            get(b"/a"),
            answered(lacks=(name,)),
            answers=(ok(line),),
        )
    yield Case(
        "hop-te-chunked",
        "TE: trailers is either sent on with Connection: TE, or not at all",
        "9110 10.1.4",
        MUST,
        get(b"/a", b"TE: trailers", b"Connection: TE"),
        both(
            passed(),
            lambda seen: (
                "TE without Connection: TE"
                if seen.requests[0].value("TE") and b"te" not in seen.requests[0].items("Connection")
                else None
            ),
        ),
    )
    yield Case(
        "hop-upgrade-ignored",
        "Upgrade may be ignored; the request is served",
        "9110 7.8",
        MUST,
        get(b"/a", b"Upgrade: x-unheard-of", b"Connection: Upgrade"),
        passed(target=b"/a"),
    )
    yield Case(
        "hop-upgrade-1.0",
        "Upgrade in HTTP/1.0 is ignored",
        "9110 7.8",
        MUST,
        request(b"GET /a HTTP/1.0", b"Upgrade: x-unheard-of", b"Connection: Upgrade"),
        passed(target=b"/a", lacks=("Upgrade",)),
    )
    yield Case(
        "hop-upgrade-body",
        "an h2c upgrade is not handed to the origin",
        "9110 7.6.1",
        SHOULD,
        get(b"/a", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABk", b"Connection: Upgrade, HTTP2-Settings"),
        passed(lacks=("HTTP2-Settings", "Upgrade")),
    )
    yield Case(
        "hop-answer-connection",
        "Connection of a response is removed or replaced",
        "9110 7.6.1",
        MUST,
        get(b"/a"),
        both(
            answered(),
            lambda seen: "its options were sent on" if b"x-a" in seen.finals[0].items("Connection") else None,
        ),
        answers=(ok(b"Connection: X-A"),),
    )
    yield Case(
        "hop-answer-chunked-kept",
        "Transfer-Encoding to the client is the proxy's own",
        "9112 6.1",
        MUST,
        get(b"/a"),
        answered(body=b"hello"),
        answers=(response(b"HTTP/1.1 200 OK", CHUNKED, b"Connection: Transfer-Encoding", body=HELLO),),
        until_end=True,
        patience=1,
    )


def cases():
    yield from _nominated()
    yield from _nominated_trailers()
    yield from _one_hop()
