"""Origins that refuse, close, reset or stall (RFC 9110, 15.6)."""

from .case import GOOD, MUST, Case, Close, Pause, Reset, get, ok, post, response
from .check import answered, both, cut, either


def cases():
    for origin, title in (
        ("refusing", "the origin refuses connections"),
        ("closing", "the origin closes every connection at once"),
        ("resetting", "the origin resets every connection at once"),
    ):
        allowed = (502, 503) if origin == "refusing" else (502,)
        for method, send in (("get", get(b"/a")), ("post", post(b"Content-Length: 2", body=b"hi"))):
            yield Case(
                f"fault-{origin}-{method}",
                f"{title}: {method.upper()}",
                "9110 15.6.3",
                GOOD,
                send,
                answered(*allowed),
                origin=origin,
            )
    yield Case(
        "fault-reset-within",
        "the origin resets when it has the request",
        "9110 15.6.3",
        GOOD,
        post(b"Content-Length: 2", body=b"hi"),
        answered(502),
        answers=((Reset(),),) * 4,
    )
    stall = ((Pause(3.2), Close()),) * 4
    yield Case(
        "fault-stall-head",
        "the origin says nothing",
        "9110 15.6.5",
        GOOD,
        post(b"Content-Length: 2", body=b"hi"),
        answered(504),
        answers=stall,
        patience=4.5,
    )
    yield Case(
        "fault-stall-half-head",
        "the origin stalls within the head",
        "9110 15.6.5",
        GOOD,
        post(b"Content-Length: 2", body=b"hi"),
        answered(504, 502),
        answers=((b"HTTP/1.1 200 OK\r\n", Pause(3.2), Close()),) * 4,
        patience=4.5,
    )
    yield Case(
        "fault-stall-body",
        "the origin stalls within the body: it is not presented as whole",
        "9112 8",
        MUST,
        get(b"/a"),
        cut(),
        answers=((response(b"HTTP/1.1 200 OK", b"Content-Length: 10", body=b"hello"), Pause(4), Close()),),
        until_end=True,
        patience=5,
    )
    yield Case(
        "fault-stall-chunk",
        "the origin stalls within a chunk: it is not presented as whole",
        "9112 8",
        MUST,
        get(b"/a"),
        cut(),
        answers=((response(b"HTTP/1.1 200 OK", b"Transfer-Encoding: chunked", body=b"5\r\nhel"), Pause(4), Close()),),
        until_end=True,
        patience=5,
    )
    yield Case(
        "fault-post-once",
        "a POST is not sent again when the connection broke",
        "9110 9.2.2",
        MUST,
        post(b"Content-Length: 2", body=b"hi"),
        lambda seen: None if len(seen.requests) == 1 else f"it was sent {len(seen.requests)} times",
        answers=((Close(),), ok()),
    )
    yield Case(
        "fault-post-once-partial",
        "a POST is not sent again after a truncated response",
        "9110 9.2.2",
        MUST,
        post(b"Content-Length: 2", body=b"hi"),
        lambda seen: None if len(seen.requests) == 1 else f"it was sent {len(seen.requests)} times",
        answers=((b"HTTP/1.1 200", Close()), ok()),
    )
    yield Case(
        "fault-error-again",
        "the client's connection outlives an error of the origin, or is closed",
        "9112 9.3",
        MUST,
        [get(b"/a"), Pause(0.4), get(b"/b")],
        both(answered(502), either(answered(at=1), lambda seen: None if seen.ending != "open" else "no second response")),
        answers=((Close(),),),
        expect=2,
        patience=3,
    )
    yield Case(
        "fault-error-type",
        "an error of the proxy's own is a whole message",
        "9112 6.3",
        MUST,
        get(b"/a"),
        answered(502, 503),
        origin="refusing",
    )
    yield Case(
        "fault-head-error",
        "an error response to HEAD has no body",
        "9110 9.3.2",
        MUST,
        b"HEAD /a HTTP/1.1\r\nHost: example.com\r\n\r\n",
        answered(502, 503, body=b""),
        origin="refusing",
    )
