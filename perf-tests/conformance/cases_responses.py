"""Bodies of the origin's responses and their framing (RFC 9112, 6 and 7)."""

from .case import AwaitAnswers, CHUNKED, Case, Close, HELLO, MUST, Pause, SHOULD, get, request, response
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


def _bodies():
    head = request(b"HEAD /a HTTP/1.1")
    length = b"Content-Length: 5"
    yield _case(
        "length",
        "a body with its length",
        "9112 6.3",
        MUST,
        response(_OK, length, body=b"hello"),
        answered(body=b"hello"),
    )
    yield _case(
        "chunked", "a chunked body", "9112 6.3", MUST, response(_OK, CHUNKED, body=HELLO), answered(body=b"hello")
    )
    yield _case(
        "chunked-case",
        "a chunked body, the coding in capitals",
        "9112 7",
        MUST,
        response(_OK, b"Transfer-Encoding: CHUNKED", body=HELLO),
        answered(body=b"hello"),
    )
    yield _case(
        "chunked-extension",
        "a chunked body with extensions",
        "9112 7.1.1",
        MUST,
        response(_OK, CHUNKED, body=b'5;a="b"\r\nhello\r\n0;c\r\n\r\n'),
        answered(body=b"hello"),
    )
    yield _case(
        "chunked-trailer",
        "a chunked body with a trailer field, which is not put among the header fields",
        "9112 7.1.2",
        MUST,
        response(_OK, CHUNKED, b"Trailer: X-T", body=b"5\r\nhello\r\n0\r\nX-T: 1\r\n\r\n"),
        answered(body=b"hello", lacks=("X-T",)),
    )
    yield _case(
        "until-close",
        "a body that ends with the connection",
        "9112 6.3",
        MUST,
        (response(_OK, body=b"hello"), Close()),
        answered(body=b"hello"),
        until_end=True,
        patience=1,
    )
    yield _case(
        "until-close-empty",
        "an empty body that ends with the connection",
        "9112 6.3",
        MUST,
        (response(_OK), Close()),
        answered(body=b""),
        until_end=True,
        patience=1,
    )
    yield _case(
        "until-close-1.0",
        "a response in HTTP/1.0 that ends with the connection",
        "9112 6.3",
        MUST,
        (response(b"HTTP/1.0 200 OK", body=b"hello"), Close()),
        answered(body=b"hello"),
        until_end=True,
        patience=1,
    )
    yield _case(
        "1.0-version",
        "a response in HTTP/1.0 is forwarded in the proxy's version",
        "9112 2.3",
        MUST,
        (response(b"HTTP/1.0 200 OK", length, body=b"hello"), Close()),
        both(answered(body=b"hello"), lambda seen: None if seen.finals[0].version == b"1.1" else "sent on as HTTP/1.0"),
    )
    yield _case(
        "1.2-version",
        "a response in HTTP/1.2 is handled as HTTP/1.1",
        "9110 6.2",
        SHOULD,
        response(b"HTTP/1.2 200 OK", length, body=b"hello"),
        answered(body=b"hello"),
    )
    yield _case(
        "head-length",
        "HEAD: a length, and no body",
        "9110 9.3.2",
        MUST,
        response(_OK, b"Content-Length: 1000"),
        both(answered(body=b""), answered(at=1, has={"X-Target": b"/b"})),
        send=[head, AwaitAnswers(), get(b"/b")],
        methods=(b"HEAD", b"GET"),
        expect=2,
    )
    yield _case(
        "head-length-kept",
        "HEAD: the length is forwarded unchanged, or not at all",
        "9110 8.6",
        MUST,
        response(_OK, b"Content-Length: 1000"),
        lambda seen: (
            None
            if seen.finals and seen.finals[0].value("Content-Length") in (None, b"1000")
            else "the length was changed"
        ),
        send=head,
    )
    yield _case(
        "head-chunked",
        "HEAD: chunked, and no body",
        "9112 6.3",
        MUST,
        response(_OK, CHUNKED),
        both(answered(body=b""), answered(at=1, has={"X-Target": b"/b"})),
        send=[head, AwaitAnswers(), get(b"/b")],
        methods=(b"HEAD", b"GET"),
        expect=2,
    )
    yield _case(
        "head-body",
        "HEAD: a forbidden body is not a response to a request",
        "9110 9.3.2",
        MUST,
        response(_OK, b"Content-Length: %d" % len(_EVIL), body=_EVIL),
        _then_second(lambda seen: None),
        send=[head, AwaitAnswers(), Pause(0.1), get(b"/b")],
        methods=(b"HEAD", b"GET"),
        expect=2,
        patience=3,
    )
    yield _case(
        "get-not-head",
        "a GET with a missing body gets no success",
        "9112 8",
        MUST,
        (response(_OK, length), Close()),
        cut(),
        until_end=True,
        patience=3,
    )
    for status in (204, 304):
        line = b"HTTP/1.1 %d X" % status
        yield _case(
            f"{status}",
            f"{status} ends with its head",
            "9112 6.3",
            MUST,
            response(line, b"ETag: x"),
            both(answered(status, body=b""), answered(at=1, has={"X-Target": b"/b"})),
            send=[get(b"/a"), AwaitAnswers(), get(b"/b")],
            expect=2,
        )
        yield _case(
            f"{status}-body",
            f"{status}: a forbidden body is not a response to a request",
            "9112 6.3",
            MUST,
            response(line, b"Content-Length: %d" % len(_EVIL), body=_EVIL),
            _then_second(either(answered(status, body=b""), _BAD)),
            send=[get(b"/a"), AwaitAnswers(), Pause(0.1), get(b"/b")],
            expect=2,
            patience=3,
        )
    yield _case(
        "304-length",
        "304 may have the length of the 200 that it stands for",
        "9110 8.6",
        MUST,
        response(b"HTTP/1.1 304 Not Modified", b"Content-Length: 1000"),
        both(answered(304, body=b""), answered(at=1, has={"X-Target": b"/b"})),
        send=[get(b"/a"), AwaitAnswers(), get(b"/b")],
        expect=2,
    )
    yield _case(
        "204-length",
        "no Content-Length is forwarded with 204",
        "9110 8.6",
        MUST,
        response(b"HTTP/1.1 204 No Content", b"Content-Length: 0"),
        either(answered(204, lacks=("Content-Length",)), _BAD),
    )
    yield _case(
        "204-chunked",
        "no Transfer-Encoding is forwarded with 204",
        "9112 6.1",
        MUST,
        response(b"HTTP/1.1 204 No Content", CHUNKED),
        either(answered(204, lacks=("Transfer-Encoding",)), _BAD),
    )
    yield _case(
        "205",
        "205 with a length of zero",
        "9110 15.3.6",
        MUST,
        response(b"HTTP/1.1 205 Reset Content", b"Content-Length: 0"),
        answered(205, body=b""),
    )
    for name, field, body in (
        ("length", b"Content-Length: 5", b"hello"),
        ("chunked", CHUNKED, HELLO),
    ):
        yield _case(
            f"205-{name}",
            f"the content of a 205 is not sent on ({name}), and both connections stay in step",
            "9110 15.3.6",
            MUST,
            response(b"HTTP/1.1 205 Reset Content", field, body=body),
            both(either(answered(205, body=b""), _BAD), answered(at=1, has={"X-Target": b"/b"})),
            send=[get(b"/a"), AwaitAnswers(), get(b"/b")],
            expect=2,
        )
    big = bytes(range(256)) * 4096
    yield _case(
        "megabyte",
        "a megabyte of all bytes arrives as it was sent",
        "9110 6.4",
        MUST,
        response(_OK, b"Content-Length: %d" % len(big), body=big),
        answered(body=big),
    )


def _framing():
    for name, fields in (
        ("coding-first", (CHUNKED, b"Content-Length: 15")),
        ("length-first", (b"Content-Length: 3", CHUNKED)),
    ):
        yield _case(
            f"both-{name}",
            "Transfer-Encoding and Content-Length: refused, or without the length",
            "9112 6.3",
            MUST,
            response(_OK, *fields, body=HELLO),
            either(_BAD, answered(body=b"hello", lacks=("Content-Length",))),
        )
    for name, fields in (
        ("differ", (b"Content-Length: 5", b"Content-Length: 6")),
        ("differ-list", (b"Content-Length: 5, 6",)),
        ("plus", (b"Content-Length: +5",)),
        ("minus", (b"Content-Length: -5",)),
        ("hex", (b"Content-Length: 0x5",)),
        ("word", (b"Content-Length: five",)),
        ("space", (b"Content-Length: 5 5",)),
        ("empty", (b"Content-Length:",)),
        ("overflow", (b"Content-Length: 18446744073709551621",)),
    ):
        # A response too large to be read to its end may also be forwarded and then be incomplete.
        check = either(_BAD, cut()) if name == "overflow" else _BAD
        yield _case(
            f"length-{name}",
            f"the length of the response: {b' and '.join(fields)!r}",
            "9112 6.3",
            MUST,
            (response(_OK, *fields, body=b"hello"), Pause(0.2), Close()),
            check,
            until_end=name == "overflow",
            patience=3,
        )
    for name, fields in (
        ("equal", (b"Content-Length: 5", b"Content-Length: 5")),
        ("equal-list", (b"Content-Length: 5, 5",)),
    ):
        yield _case(
            f"length-{name}",
            "the same length twice is refused, or becomes one",
            "9110 8.6",
            MUST,
            response(_OK, *fields, body=b"hello"),
            either(
                _BAD,
                answered(body=b"hello", has={"Content-Length": b"5"}),
                answered(body=b"hello", lacks=("Content-Length",)),
            ),
        )
    yield _case(
        "coding-unknown",
        "a coding that is not chunked ends with the connection",
        "9112 6.3",
        MUST,
        (response(_OK, b"Transfer-Encoding: foo", body=b"hello"), Close()),
        either(_BAD, cut()),
        until_end=True,
        patience=3,
    )
    yield _case(
        "coding-1.0",
        "Transfer-Encoding in a response of HTTP/1.0 is faulty framing",
        "9112 6.1",
        MUST,
        (response(b"HTTP/1.0 200 OK", CHUNKED, body=HELLO), Close()),
        either(_BAD, answered(body=b"hello"), answered(body=HELLO), cut()),
        until_end=True,
        patience=2,
    )
    for name, chunks in (
        ("size", b"x\r\nhello\r\n0\r\n\r\n"),
        ("size-plus", b"+5\r\nhello\r\n0\r\n\r\n"),
        ("size-0x", b"0x5\r\nhello\r\n0\r\n\r\n"),
        ("size-minus", b"-5\r\nhello\r\n0\r\n\r\n"),
        ("overflow", b"10000000000000005\r\nhello\r\n0\r\n\r\n"),
        ("no-crlf", b"5\r\nhelloworld\r\n0\r\n\r\n"),
        ("spill", b"5\r\nhelloX\r\n0\r\n\r\n"),
    ):
        yield _case(
            f"chunk-{name}",
            f"the chunked response {chunks[:24]!r} is never complete",
            "9112 7.1",
            MUST,
            (response(_OK, CHUNKED, body=chunks), Pause(0.2), Close()),
            cut(),
            until_end=True,
            patience=3,
        )


def cases():
    yield from _bodies()
    yield from _framing()
