"""Interim responses, and responses to HTTP/1.0 clients (RFC 9110, 15.2; RFC 9112, 6)."""

from .case import AwaitAnswers, CHUNKED, Case, Close, GOOD, HELLO, MUST, Pause, get, ok, request, response
from .check import answered, both, closed, cut, either

_BAD = answered(502)
_OK = b"HTTP/1.1 200 OK"


def _case(name, title, section, level, answer, check, send=None, **more):
    answers = more.pop("answers", (answer,))
    return Case(f"answer-{name}", title, section, level, send or get(b"/a"), check, answers=answers, **more)


def _interim():
    final = ok()
    for status in (100, 102, 103, 110, 199):
        interim = b"HTTP/1.1 %d X\r\nX-I: 1\r\n\r\n" % status
        yield _case(
            f"interim-{status}",
            f"{status} is not the final response",
            "9110 15.2",
            MUST,
            interim + final,
            both(answered(200, body=b"ok"), answered(at=1, has={"X-Target": b"/b"})),
            send=[get(b"/a"), AwaitAnswers(), get(b"/b")],
            expect=2,
        )
        if status in (102, 103):
            yield _case(
                f"interim-{status}-forwarded",
                f"{status} is forwarded",
                "9110 15.2",
                GOOD,
                interim + final,
                lambda seen, status=status: (
                    None
                    if [one.status for one in seen.interim] == [status]
                    else f"interim responses {[one.status for one in seen.interim]}"
                ),
            )
        yield _case(
            f"interim-{status}-1.0",
            f"{status} is not sent to a client of HTTP/1.0",
            "9110 15.2",
            MUST,
            interim + final,
            both(answered(200, body=b"ok"), lambda seen: "an interim response was forwarded" if seen.interim else None),
            send=request(b"GET /a HTTP/1.0"),
        )
    yield _case(
        "interim-many",
        "ten interim responses, then the final one",
        "9110 15.2",
        MUST,
        b"HTTP/1.1 103 X\r\nLink: </a>\r\n\r\n" * 10 + final,
        answered(200, body=b"ok"),
    )
    yield _case(
        "interim-late",
        "an interim response long before the final one",
        "9110 15.2",
        MUST,
        (b"HTTP/1.1 102 X\r\n\r\n", Pause(0.5), final),
        answered(200, body=b"ok"),
    )
    yield _case(
        "interim-length",
        "a Content-Length in an interim response is ignored and not forwarded",
        "9110 8.6",
        MUST,
        b"HTTP/1.1 103 X\r\nContent-Length: 5\r\n\r\n" + final,
        either(
            both(
                answered(200, body=b"ok"),
                lambda seen: "it was sent on" if any(one.value("Content-Length") for one in seen.interim) else None,
            ),
            _BAD,
        ),
    )
    yield _case(
        "interim-only",
        "an interim response and then the end",
        "9112 8",
        MUST,
        (b"HTTP/1.1 103 X\r\n\r\n", Close()),
        cut(500, 502, 504),
        until_end=True,
        patience=3,
    )
    yield _case(
        "101-unasked",
        "an unrequested 101 opens no tunnel",
        "9110 15.2.2",
        MUST,
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: evil\r\nConnection: upgrade\r\n\r\n", b"tunnel"),
        both(
            lambda seen: "the client got 101" if any(one.status == 101 for one in seen.responses) else None,
            lambda seen: "bytes of the tunnel reached the client" if b"tunnel" in seen.received else None,
            either(answered(500, 502), closed),
        ),
        patience=4,
    )


def _client_of_1_0():
    old = request(b"GET /a HTTP/1.0")
    yield _case(
        "1.0-chunked",
        "a chunked response is not sent chunked to an HTTP/1.0 client",
        "9112 6.1",
        MUST,
        response(_OK, CHUNKED, body=HELLO),
        answered(body=b"hello", lacks=("Transfer-Encoding",)),
        send=old,
        until_end=True,
        patience=2,
    )
    yield _case(
        "1.0-chunked-keep-alive",
        "the same with Connection: keep-alive",
        "9112 6.1",
        MUST,
        response(_OK, CHUNKED, body=HELLO),
        answered(body=b"hello", lacks=("Transfer-Encoding",)),
        send=request(b"GET /a HTTP/1.0", b"Connection: keep-alive"),
        until_end=True,
        patience=2,
    )
    yield _case(
        "1.0-until-close",
        "a response that ends with the connection, for an HTTP/1.0 client",
        "9112 6.3",
        MUST,
        (response(_OK, body=b"hello"), Close()),
        answered(body=b"hello", lacks=("Transfer-Encoding",)),
        send=old,
        until_end=True,
        patience=2,
    )
    yield _case(
        "1.0-head-chunked",
        "HEAD in HTTP/1.0: no Transfer-Encoding",
        "9112 6.1",
        MUST,
        response(_OK, CHUNKED),
        answered(body=b"", lacks=("Transfer-Encoding",)),
        send=request(b"HEAD /a HTTP/1.0"),
    )
    yield _case(
        "1.0-chunked-cut",
        "a truncated chunked response, for an HTTP/1.0 client",
        "9112 8",
        GOOD,
        (response(_OK, CHUNKED, body=b"5\r\nhel"), Close()),
        cut(500, 502, 504),
        send=old,
        until_end=True,
        patience=3,
    )


def cases():
    yield from _interim()
    yield from _client_of_1_0()
