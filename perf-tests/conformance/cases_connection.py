"""Persistence and pipelining (RFC 9112, 9)."""

from .case import (
    AwaitAnswers,
    AwaitBody,
    CHUNKED,
    Case,
    GOOD,
    HELLO,
    HalfClose,
    MUST,
    Pause,
    SHOULD,
    get,
    ok,
    post,
    request,
    response,
)
from .check import answered, both, closed, either, forwarded, opened, passed


def _persistence():
    two, plain = [get(b"/a"), AwaitAnswers(), get(b"/b")], ok()
    served = both(forwarded(count=2, target=b"/b", at=1), answered(at=1))
    yield Case("keep-1.1", "HTTP/1.1 keeps the connection", "9112 9.3", SHOULD, two, both(served, opened), expect=2)
    for name, field in (
        ("close", b"Connection: close"),
        ("close-case", b"Connection: CLOSE"),
        ("close-list", b"Connection: x-a, close"),
        ("close-second", b"Connection: x-a\r\nConnection: close"),
        ("close-spaces", b"Connection: ,  close ,"),
        ("close-and-keep", b"Connection: keep-alive, close"),
    ):
        yield Case(
            f"keep-{name}",
            f"{field!r} closes the connection after the response",
            "9112 9.6",
            MUST,
            get(b"/a", field),
            both(passed(), closed),
        )
        yield Case(
            f"keep-{name}-ignored",
            f"what follows a request with {field!r} is not served",
            "9112 9.6",
            MUST,
            get(b"/a", field) + get(b"/b"),
            both(forwarded(count=1, target=b"/a"), answered(count=1), closed),
        )
    yield Case(
        "keep-close-said",
        "the response to Connection: close has close",
        "9112 9.6",
        SHOULD,
        get(b"/a", b"Connection: close"),
        both(
            answered(), lambda seen: None if b"close" in seen.finals[0].items("Connection") else "no Connection: close"
        ),
    )
    for name, field in (("substring", b"Connection: closed"), ("other", b"Connection: x-close")):
        yield Case(
            f"keep-{name}",
            f"{field!r} is no close",
            "9110 7.6.1",
            GOOD,
            [get(b"/a", field), AwaitAnswers(), get(b"/b")],
            both(served, opened),
            expect=2,
        )
    old = request(b"GET /a HTTP/1.0")
    yield Case("keep-1.0", "HTTP/1.0 closes", "9112 9.3", MUST, old, both(passed(), closed))
    yield Case(
        "keep-1.0-ignored",
        "what follows a request of HTTP/1.0 is not served",
        "9112 9.3",
        MUST,
        old + get(b"/b"),
        both(forwarded(count=1, target=b"/a"), answered(count=1), closed),
    )
    yield Case(
        "keep-1.0-asked",
        "HTTP/1.0 with keep-alive: kept and announced, or closed",
        "9112 9.3",
        MUST,
        request(b"GET /a HTTP/1.0", b"Connection: Keep-Alive"),
        both(
            passed(),
            either(
                closed, lambda seen: None if b"keep-alive" in seen.finals[0].items("Connection") else "kept without an announcement"
            ),
        ),
    )
    yield Case(
        "keep-1.0-asked-kept",
        "HTTP/1.0 with keep-alive is kept",
        "9112 9.3",
        GOOD,
        [request(b"GET /a HTTP/1.0", b"Connection: Keep-Alive"), AwaitAnswers(), get(b"/b")],
        served,
        expect=2,
    )
    yield Case(
        "keep-1.0-close",
        "HTTP/1.0 with close",
        "9112 9.6",
        MUST,
        request(b"GET /a HTTP/1.0", b"Connection: close"),
        both(passed(), closed),
    )
    yield Case(
        "keep-origin-closes",
        "Connection: close of the origin is not the client's affair",
        "9110 7.6.1",
        GOOD,
        two,
        both(served, opened),
        answers=(ok(b"Connection: close"),),
        expect=2,
    )
    yield Case(
        "keep-half-closed",
        "a client that has closed its half still gets its response",
        "9112 9.6",
        GOOD,
        [get(b"/a"), HalfClose()],
        passed(),
        answers=((AwaitBody(), Pause(0.2), plain),),
    )
    yield Case(
        "keep-half-closed-slow",
        "the same, from an origin that takes half a second",
        "9112 9.6",
        GOOD,
        [get(b"/a"), Pause(0.1), HalfClose()],
        passed(),
        answers=((AwaitBody(), Pause(0.5), ok()),),
    )
    yield Case(
        "keep-half-closed-body",
        "the same with a body",
        "9112 9.6",
        GOOD,
        [post(b"Content-Length: 5", body=b"hello"), HalfClose()],
        passed(body=b"hello"),
        answers=((AwaitBody(), Pause(0.2), plain),),
    )
    whole = get(b"/a", b"X-A: 1")
    bytewise = [step for byte in whole for step in (bytes([byte]), Pause(0.002))]
    yield Case(
        "keep-bytewise", "a request byte by byte", "9112 2.1", MUST, bytewise, passed(target=b"/a", has={"X-A": b"1"})
    )
    yield Case(
        "keep-cut-head",
        "a request that ends within its head is not served",
        "9112 8",
        MUST,
        [b"GET /a HTTP/1.1\r\nHost: example.com\r\n", HalfClose()],
        both(forwarded(count=0), either(answered(400, 408), closed)),
        patience=4,
    )
    yield Case(
        "keep-slow-head",
        "a request with an endless head is aborted",
        "9110 15.5.9",
        GOOD,
        [b"GET /a HTTP/1.1\r\nHost: exam"],
        both(forwarded(count=0), closed),
        until_end=True,
        patience=5.5,
    )
    yield Case(
        "keep-slow-head-408",
        "and the client gets 408",
        "9110 15.5.9",
        SHOULD,
        [b"GET /a HTTP/1.1\r\nHost: exam"],
        either(
            answered(408),
            both(forwarded(count=0), lambda seen: None if seen.ending == "closed" and not seen.received else "no 408"),
        ),
        until_end=True,
        patience=5.5,
    )


def _pipelining():
    names = [b"/%d" % i for i in range(10)]

    def in_order(wanted):
        def look(seen):
            found = [one.value("X-Target") for one in seen.finals]
            return None if found == wanted else f"responses in the order {found}"

        return look

    yield Case(
        "pipeline-ten",
        "ten requests at once are answered in order",
        "9112 9.3.2",
        MUST,
        b"".join(get(name) for name in names),
        in_order(names),
        expect=10,
    )
    slow = (AwaitBody(), Pause(0.4), response(b"HTTP/1.1 200 OK", b"Content-Length: 2", b"X-Target: /0", body=b"ok"))
    yield Case(
        "pipeline-slow-first",
        "later responses do not overtake a slow one",
        "9112 9.3.2",
        MUST,
        b"".join(get(name) for name in names[:4]),
        in_order(names[:4]),
        answers=(slow,),
        expect=4,
    )
    yield Case(
        "pipeline-bodies",
        "requests with bodies, length and chunked in turn",
        "9112 9.3.2",
        MUST,
        post(b"Content-Length: 5", body=b"hello", target=b"/0")
        + post(CHUNKED, body=HELLO, target=b"/1")
        + get(b"/2")
        + post(CHUNKED, body=HELLO, target=b"/3")
        + post(b"Content-Length: 5", body=b"hello", target=b"/4"),
        both(
            in_order(names[:5]),
            *[forwarded(count=5, body=b"" if i == 2 else b"hello", target=names[i], at=i) for i in range(5)],
        ),
        expect=5,
    )
    yield Case(
        "pipeline-head",
        "HEAD among others",
        "9112 9.3.2",
        MUST,
        get(b"/0") + request(b"HEAD /1 HTTP/1.1") + get(b"/2"),
        in_order(names[:3]),
        methods=(b"GET", b"HEAD", b"GET"),
        expect=3,
    )
    yield Case(
        "pipeline-bad-second",
        "a bad request after a good one",
        "9112 9.3.2",
        MUST,
        get(b"/0") + request(b"GET /1 HTTP/1.1", b"Content-Length: x") + get(b"/2"),
        both(forwarded(count=1, target=b"/0"), answered(200), answered(400, at=1, count=2), closed),
        expect=2,
    )
    yield Case(
        "pipeline-cut",
        "a request that is split between two packets of a pipeline",
        "9112 9.3.2",
        MUST,
        [get(b"/0") + get(b"/1")[:20], Pause(0.2), get(b"/1")[20:] + get(b"/2")],
        in_order(names[:3]),
        expect=3,
    )


def cases():
    yield from _persistence()
    yield from _pipelining()
