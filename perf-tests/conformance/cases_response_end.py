"""Responses that are truncated, exceed their length or are early (RFC 9112, 8 and 9)."""

from .case import (
    AwaitAnswers,
    AwaitBody,
    CHUNKED,
    Case,
    Close,
    GOOD,
    HELLO,
    MUST,
    OnIdle,
    Pause,
    Reset,
    SHOULD,
    get,
    ok,
    post,
    response,
)
from .check import answered, both, closed, cut, either

_BAD = answered(502)
_OK = b"HTTP/1.1 200 OK"
_EVIL = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\nX-Evil: 1\r\n\r\nsmuggled"


def _case(name, title, section, level, answer, check, send=None, **more):
    answers = more.pop("answers", (answer,))
    return Case(f"answer-{name}", title, section, level, send or get(b"/a"), check, answers=answers, **more)


def _then_second(first):
    """Bytes after the first response must not become the response to the second request."""

    def unharmed(seen):
        for one in seen.finals:
            if one.value("X-Evil") or b"smuggled" in one.body:
                return "bytes after the response to one request became the response to another one"
        return None

    second = either(answered(at=1, has={"X-Target": b"/b"}), answered(502, at=1), closed)
    return both(unharmed, first, second)


def _ends():
    for name, first in (
        ("nothing", b""),
        ("status-line", b"HTTP/1.1 200 OK\r\n"),
        ("half-line", b"HTTP/1.1 2"),
        ("fields", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"),
        ("half-field", b"HTTP/1.1 200 OK\r\nContent-Len"),
    ):
        for how, ending in (("closed", Close()), ("reset", Reset())):
            yield _case(
                f"cut-{name}-{how}",
                f"the origin ends ({how}) within the head: {first[-12:]!r}",
                "9110 15.6.3",
                GOOD,
                (first, Pause(0.05), ending),
                _BAD,
                send=post(b"Content-Length: 2", body=b"hi"),
                patience=4,
            )
    for name, answer in (
        ("length", response(_OK, b"Content-Length: 10", body=b"hello")),
        ("length-none", response(_OK, b"Content-Length: 10")),
        ("length-last", response(_OK, b"Content-Length: 6", body=b"hello")),
        ("chunk-size", response(_OK, CHUNKED, body=b"5")),
        ("chunk-none", response(_OK, CHUNKED)),
        ("chunk-data", response(_OK, CHUNKED, body=b"5\r\nhel")),
        ("chunk-end", response(_OK, CHUNKED, body=b"5\r\nhello\r\n")),
        ("chunk-last", response(_OK, CHUNKED, body=b"5\r\nhello\r\n0\r\n")),
        ("chunk-trailer", response(_OK, CHUNKED, body=b"5\r\nhello\r\n0\r\nX-T: 1\r\n")),
    ):
        for how, ending in (("closed", Close()), ("reset", Reset())):
            yield _case(
                f"cut-{name}-{how}",
                f"the origin ends ({how}) within the body: it is not presented as whole",
                "9112 8",
                MUST,
                (answer, Pause(0.05), ending),
                cut(),
                until_end=True,
                patience=4,
            )
    yield _case(
        "cut-until-close-reset",
        "a body that would end with the connection ends with a reset",
        "9112 8",
        MUST,
        (response(_OK, body=b"hello"), Pause(0.1), Reset()),
        cut(),
        until_end=True,
        patience=4,
    )
    two = [get(b"/a"), AwaitAnswers(), Pause(0.15), get(b"/b")]
    second = answered(at=1, has={"X-Target": b"/b"})
    for name, answer in (
        ("length", ok() + _EVIL),
        ("chunked", response(_OK, CHUNKED, body=HELLO + _EVIL)),
        ("junk", ok() + b"junk junk junk\r\n\r\n"),
        ("204", response(b"HTTP/1.1 204 No Content") + _EVIL),
    ):
        yield _case(
            f"beyond-{name}",
            "bytes after the end of a response are not the response to the next request",
            "9112 9.2",
            MUST,
            answer,
            _then_second(answered(200, 204)),
            send=two,
            expect=2,
            patience=3,
        )
    for name, later in (
        ("answer", _EVIL),
        ("408", response(b"HTTP/1.1 408 Request Timeout", b"Content-Length: 8", b"X-Evil: 1", body=b"smuggled")),
    ):
        yield _case(
            f"idle-{name}",
            "unsolicited bytes on an idle connection are not the response to the next request",
            "9112 9.2",
            MUST,
            (ok(), OnIdle(0.05), later),
            _then_second(answered(200)),
            send=[get(b"/a"), AwaitAnswers(), Pause(0.4), get(b"/b")],
            expect=2,
            patience=3,
        )
    yield _case(
        "idle-408-close",
        "408 on an idle connection, and its end: the next request is served over another one",
        "9110 15.5.9",
        GOOD,
        (ok(), OnIdle(0.05), response(b"HTTP/1.1 408 Request Timeout", b"Connection: close", b"X-Evil: 1"), Close()),
        both(_then_second(answered(200)), second),
        send=[get(b"/a"), AwaitAnswers(), Pause(0.4), get(b"/b")],
        expect=2,
        patience=3,
    )
    yield _case(
        "idle-crlf",
        "an empty line on an idle connection has no effect",
        "9112 9.2",
        GOOD,
        (ok(), OnIdle(0.05), b"\r\n"),
        second,
        send=[get(b"/a"), AwaitAnswers(), Pause(0.4), get(b"/b")],
        expect=2,
    )
    yield _case(
        "idle-closed",
        "a connection that the origin closed when idle is not used again",
        "9112 9.3.1",
        GOOD,
        (ok(), OnIdle(0.05), Close()),
        second,
        send=[get(b"/a"), AwaitAnswers(), Pause(0.4), get(b"/b")],
        expect=2,
    )
    yield _case(
        "close-honoured",
        "no request follows to an origin that sent Connection: close",
        "9112 9.6",
        MUST,
        ok(b"Connection: close"),
        both(
            second,
            lambda seen: (
                None if seen.origin_connections == 2 else f"{seen.origin_connections} connections to the origin"
            ),
        ),
        send=[get(b"/a"), AwaitAnswers(), Pause(0.1), get(b"/b")],
        expect=2,
    )
    yield _case(
        "1.0-not-reused",
        "nothing more is sent to an origin of HTTP/1.0 without keep-alive",
        "9112 9.3",
        MUST,
        response(b"HTTP/1.0 200 OK", b"Content-Length: 2", body=b"ok"),
        both(
            second,
            lambda seen: (
                None if seen.origin_connections == 2 else f"{seen.origin_connections} connections to the origin"
            ),
        ),
        send=[get(b"/a"), AwaitAnswers(), Pause(0.1), get(b"/b")],
        expect=2,
    )


def _early():
    big = b"x" * 200_000
    send = [post(b"Content-Length: 400000", body=big), AwaitAnswers()]
    early = response(b"HTTP/1.1 413 Content Too Large", b"Content-Length: 3", b"Connection: close", body=b"big")
    yield Case(
        "answer-early",
        "a response before the end of the request reaches the client",
        "9112 9.5",
        SHOULD,
        send,
        answered(413, body=b"big"),
        answers=((early, AwaitBody()),),
        patience=4,
    )
    yield Case(
        "answer-early-rest",
        "the rest of a body that was answered early is no request",
        "9112 9.3",
        MUST,
        [
            post(b"Content-Length: 70", body=b"hello"),
            AwaitAnswers(),
            b"x" * 18 + b"GET /smuggled HTTP/1.1\r\nHost: example.com\r\n\r\n",
            Pause(0.2),
            get(b"/b"),
        ],
        both(
            answered(413, body=b"big"),
            either(closed, both(answered(at=1, has={"X-Target": b"/b"}))),
            lambda seen: "it was served" if any(one.target == b"/smuggled" for one in seen.requests) else None,
        ),
        answers=((response(b"HTTP/1.1 413 X", b"Content-Length: 3", body=b"big"), AwaitBody()),),
        expect=2,
        patience=4,
    )


def cases():
    yield from _ends()
    yield from _early()
