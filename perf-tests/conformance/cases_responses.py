"""Answers of the origin, good and bad, and what of them may reach the client (RFC 9112, 4 to 8; RFC 9110, 15)."""

from .case import CHUNKED, GOOD, HELLO, MUST, SHOULD, AwaitBody, AwaitAnswers, Case, Close, HalfClose, OnIdle, Pause, Reset
from .case import get, ok, post, request, response
from .check import answered, both, closed, cut, either, forwarded

_BAD = answered(502)
_OK = b"HTTP/1.1 200 OK"
_EVIL = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\nX-Evil: 1\r\n\r\nsmuggled"


def _case(name, title, section, level, answer, check, send=None, **more):
    answers = more.pop("answers", (answer,))
    return Case(f"answer-{name}", title, section, level, send or get(b"/a"), check, answers=answers, **more)


def _then_second(first):
    """What the first answer left behind is not taken for the answer to the second request."""

    def unharmed(seen):
        for one in seen.finals:
            if one.value("X-Evil") or b"smuggled" in one.body:
                return "bytes behind the answer to one request became the answer to another one"
        return None

    second = either(answered(at=1, has={"X-Target": b"/b"}), answered(502, at=1), closed)
    return both(unharmed, first, second)


def _bodies():
    head = request(b"HEAD /a HTTP/1.1")
    length = b"Content-Length: 5"
    yield _case("length", "a body with its length", "9112 6.3", MUST, response(_OK, length, body=b"hello"), answered(body=b"hello"))
    yield _case("chunked", "a chunked body", "9112 6.3", MUST, response(_OK, CHUNKED, body=HELLO), answered(body=b"hello"))
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
        "an answer in HTTP/1.0 that ends with the connection",
        "9112 6.3",
        MUST,
        (response(b"HTTP/1.0 200 OK", body=b"hello"), Close()),
        answered(body=b"hello"),
        until_end=True,
        patience=1,
    )
    yield _case(
        "1.0-version",
        "an answer in HTTP/1.0 is sent on in the proxy's own version",
        "9112 2.3",
        MUST,
        (response(b"HTTP/1.0 200 OK", length, body=b"hello"), Close()),
        both(answered(body=b"hello"), lambda seen: None if seen.finals[0].version == b"1.1" else "sent on as HTTP/1.0"),
    )
    yield _case(
        "1.2-version",
        "an answer in HTTP/1.2 is taken as HTTP/1.1",
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
        "HEAD: the length is sent on unchanged, or not at all",
        "9110 8.6",
        MUST,
        response(_OK, b"Content-Length: 1000"),
        lambda seen: None
        if seen.finals and seen.finals[0].value("Content-Length") in (None, b"1000")
        else "the length was changed",
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
        "HEAD: a body that should not be there is no answer to anything",
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
        "GET whose body does not come is not answered as if it were whole",
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
            f"{status}: a body that should not be there is no answer to anything",
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
        "no Content-Length is sent on with 204",
        "9110 8.6",
        MUST,
        response(b"HTTP/1.1 204 No Content", b"Content-Length: 0"),
        either(answered(204, lacks=("Content-Length",)), _BAD),
    )
    yield _case(
        "204-chunked",
        "no Transfer-Encoding is sent on with 204",
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
    big = bytes(range(256)) * 4096
    yield _case(
        "megabyte",
        "a megabyte of all bytes arrives as it was sent",
        "9110 6.4",
        MUST,
        response(_OK, b"Content-Length: %d" % len(big), body=big),
        answered(body=big),
    )


def _interim():
    final = ok()
    for status in (100, 102, 103, 110, 199):
        interim = b"HTTP/1.1 %d X\r\nX-I: 1\r\n\r\n" % status
        yield _case(
            f"interim-{status}",
            f"{status} is not the final answer",
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
                f"{status} is sent on",
                "9110 15.2",
                GOOD,
                interim + final,
                lambda seen, status=status: None
                if [one.status for one in seen.interim] == [status]
                else f"interim answers {[one.status for one in seen.interim]}",
            )
        yield _case(
            f"interim-{status}-1.0",
            f"{status} is not sent to a client of HTTP/1.0",
            "9110 15.2",
            MUST,
            interim + final,
            both(answered(200, body=b"ok"), lambda seen: "an interim answer was sent on" if seen.interim else None),
            send=request(b"GET /a HTTP/1.0"),
        )
    yield _case(
        "interim-many",
        "ten interim answers, then the final one",
        "9110 15.2",
        MUST,
        b"HTTP/1.1 103 X\r\nLink: </a>\r\n\r\n" * 10 + final,
        answered(200, body=b"ok"),
    )
    yield _case(
        "interim-late",
        "an interim answer long before the final one",
        "9110 15.2",
        MUST,
        (b"HTTP/1.1 102 X\r\n\r\n", Pause(0.5), final),
        answered(200, body=b"ok"),
    )
    yield _case(
        "interim-length",
        "a Content-Length in an interim answer means nothing and is not sent on",
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
        "an interim answer and then the end",
        "9112 8",
        MUST,
        (b"HTTP/1.1 103 X\r\n\r\n", Close()),
        cut(500, 502, 504),
        until_end=True,
        patience=3,
    )
    yield _case(
        "101-unasked",
        "101 that nobody asked for opens no tunnel",
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
        "a chunked answer is not sent as such to a client of HTTP/1.0",
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
        "an answer that ends with the connection, for a client of HTTP/1.0",
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
        "a chunked answer that breaks off, for a client of HTTP/1.0",
        "9112 8",
        SHOULD,
        (response(_OK, CHUNKED, body=b"5\r\nhel"), Close()),
        cut(500, 502, 504),
        send=old,
        until_end=True,
        patience=3,
    )


def _framing():
    for name, fields in (("coding-first", (CHUNKED, b"Content-Length: 15")), ("length-first", (b"Content-Length: 3", CHUNKED))):
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
        # One so large that nobody has seen its end may also be passed on and found incomplete.
        check = either(_BAD, cut()) if name == "overflow" else _BAD
        yield _case(
            f"length-{name}",
            f"the length of the answer: {b' and '.join(fields)!r}",
            "9112 6.3",
            MUST,
            (response(_OK, *fields, body=b"hello"), Pause(0.2), Close()),
            check,
            until_end=name == "overflow",
            patience=3,
        )
    for name, fields in (("equal", (b"Content-Length: 5", b"Content-Length: 5")), ("equal-list", (b"Content-Length: 5, 5",))):
        yield _case(
            f"length-{name}",
            "the same length twice is refused, or becomes one",
            "9110 8.6",
            MUST,
            response(_OK, *fields, body=b"hello"),
            either(_BAD, answered(body=b"hello", has={"Content-Length": b"5"}), answered(body=b"hello", lacks=("Content-Length",))),
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
        "Transfer-Encoding in an answer of HTTP/1.0 is faulty framing",
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
            f"the chunked answer {chunks[:24]!r} is never whole",
            "9112 7.1",
            MUST,
            (response(_OK, CHUNKED, body=chunks), Pause(0.2), Close()),
            cut(),
            until_end=True,
            patience=3,
        )


def _status_lines():
    five = b"Content-Length: 5"
    for name, line in (
        ("no-version", b"200 OK"),
        ("lower", b"http/1.1 200 OK"),
        ("other", b"ICY 200 OK"),
        ("no-status", b"HTTP/1.1"),
        ("letters", b"HTTP/1.1 abc OK"),
        ("two-digits", b"HTTP/1.1 20 OK"),
        ("four-digits", b"HTTP/1.1 2000 OK"),
        ("minus", b"HTTP/1.1 -200 OK"),
        ("plus", b"HTTP/1.1 +200 OK"),
        ("joined", b"HTTP/1.1200 OK"),
        ("letter-behind", b"HTTP/1.1 200x OK"),
        ("space-first", b" HTTP/1.1 200 OK"),
        ("2.0", b"HTTP/2.0 200 OK"),
        ("garbage", b"\x15\x03\x01\x00\x02"),
        ("version", b"HTTP/1.1.1 200 OK"),
    ):
        check = either(_BAD, closed)
        answer = (response(line, five, body=b"hello"), Pause(0.1), Close())
        yield _case(f"status-{name}", f"the status line {line!r}", "9110 15.6.3", GOOD, answer, _BAD, patience=4)
        yield _case(
            f"status-{name}-kept",
            f"the status line {line!r} is never sent on",
            "9112 4",
            MUST,
            answer,
            either(check, answered(200, 500)),
            patience=4,
        )
    for status in (0, 42, 99):
        yield _case(
            f"status-{status:03}",
            f"the status {status:03}",
            "9110 15",
            SHOULD,
            response(b"HTTP/1.1 %03d X" % status, five, body=b"hello"),
            answered(*range(500, 600)),
            patience=4,
        )
    for status in (600, 999):
        yield _case(
            f"status-{status}",
            f"the status {status} is processed as 5xx",
            "9110 15",
            SHOULD,
            response(b"HTTP/1.1 %d X" % status, five, body=b"hello"),
            answered(*range(500, 600)),
        )
    for status in (299, 399, 418, 451, 499, 599):
        yield _case(
            f"status-{status}",
            f"the status {status} passes",
            "9110 15",
            MUST,
            response(b"HTTP/1.1 %d X" % status, five, body=b"hello"),
            answered(status, body=b"hello"),
        )
    for name, line in (("no-reason", b"HTTP/1.1 200 "), ("no-reason-no-space", b"HTTP/1.1 200")):
        level = MUST if name == "no-reason" else GOOD
        title = "no reason phrase" + ("" if level == MUST else ", and no space before it")
        answer = response(line, five, body=b"hello")
        check = answered(body=b"hello") if level == MUST else either(_BAD, answered(body=b"hello"))
        yield _case(f"status-{name}", title, "9112 4", level, answer, check)
    yield _case(
        "status-reason-obs-text",
        "a reason phrase with obs-text and tabs",
        "9112 4",
        MUST,
        response(b"HTTP/1.1 200 \xe4\tb", five, body=b"hello"),
        answered(body=b"hello"),
    )
    yield _case(
        "status-reason-long",
        "a reason phrase of 100 KB",
        "9112 4",
        GOOD,
        response(b"HTTP/1.1 200 " + b"x" * 100_000, five, body=b"hello"),
        either(_BAD, answered(body=b"hello")),
    )
    yield _case(
        "status-reason-nul",
        "a reason phrase with NUL",
        "9112 4",
        GOOD,
        response(b"HTTP/1.1 200 a\x00b", five, body=b"hello"),
        either(_BAD, answered(body=b"hello")),
    )
    yield _case(
        "status-reason-cr",
        "a reason phrase with a bare CR",
        "9112 2.2",
        MUST,
        response(b"HTTP/1.1 200 a\rX-Evil: 1", five, body=b"hello"),
        either(_BAD, answered(body=b"hello", lacks=("X-Evil",))),
    )


def _fields():
    five = b"Content-Length: 5"
    for name, line, value in (
        ("space-colon", b"X-A : 1", b"1"),
        ("tab-colon", b"X-A\t: 1", b"1"),
    ):
        yield _case(
            f"field-{name}",
            "white space before the colon is removed, or the answer refused",
            "9112 5.1",
            MUST,
            response(_OK, five, line, body=b"hello"),
            either(_BAD, answered(body=b"hello", has={"X-A": value})),
        )
    for name, line in (("fold", b"X-A: 1\r\n 2"), ("fold-tab", b"X-A: 1\r\n\t2"), ("fold-twice", b"X-A: 1\r\n 2\r\n")):
        squeezed = lambda value: b" ".join(value.split()) == b"1 2"
        yield _case(
            f"field-{name}",
            "a folded line is made one line, or the answer refused",
            "9112 5.2",
            MUST,
            response(_OK, five, line.rstrip(), body=b"hello"),
            either(_BAD, answered(body=b"hello", has={"X-A": squeezed})),
        )
    for name, line, values in (
        ("nul", b"X-A: a\x00b", (b"a b",)),
        ("bare-cr", b"X-A: a\rb", (b"a b",)),
        ("bare-cr-field", b"X-A: a\rX-Evil: 1", (b"a X-Evil: 1",)),
    ):
        yield _case(
            f"field-{name}",
            f"the field line {line!r} is refused, or the byte becomes a space",
            "9110 5.5",
            MUST,
            response(_OK, five, line, body=b"hello"),
            either(_BAD, answered(body=b"hello", has={"X-A": lambda value, values=values: value in values}, lacks=("X-Evil",))),
        )
    for name, line in (
        ("no-colon", b"X-A"),
        ("empty-name", b": 1"),
        ("bad-name", b"X@A: 1"),
        ("name-space", b"X A: 1"),
        ("name-control", b"X\x01A: 1"),
        ("name-non-ascii", b"X\xe4: 1"),
    ):
        yield _case(
            f"field-{name}",
            f"the field line {line!r} is dropped, or the answer refused",
            "9110 5.1",
            MUST,
            response(_OK, five, line, body=b"hello"),
            either(_BAD, answered(body=b"hello")),
        )
    yield _case(
        "field-obs-text",
        "obs-text in a value passes",
        "9110 5.5",
        MUST,
        response(_OK, five, b"X-A: \xe4\xff", body=b"hello"),
        answered(body=b"hello", has={"X-A": b"\xe4\xff"}),
    )
    yield _case(
        "field-lf",
        "LF alone as the end of every line",
        "9112 2.2",
        MUST,
        response(_OK, five, b"X-A: 1", body=b"hello").replace(b"\r\n", b"\n"),
        either(_BAD, answered(body=b"hello", has={"X-A": b"1"})),
    )
    yield _case(
        "field-set-cookie",
        "lines of Set-Cookie are not joined",
        "9110 5.3",
        MUST,
        response(_OK, five, b"Set-Cookie: a=1, b", b"Set-Cookie: c=2", body=b"hello"),
        both(
            answered(body=b"hello"),
            lambda seen: None
            if seen.finals[0].values("Set-Cookie") == [b"a=1, b", b"c=2"]
            else f"Set-Cookie {seen.finals[0].values('Set-Cookie')}",
        ),
    )
    yield _case(
        "field-order",
        "lines of one name keep their order",
        "9110 5.3",
        MUST,
        response(_OK, five, b"X-A: 1", b"X-B: 9", b"x-a: 2", body=b"hello"),
        answered(has={"X-A": b"1, 2"}),
    )
    yield _case(
        "head-8k",
        "a head of 3 KB passes",
        "9110 5.4",
        GOOD,
        response(_OK, five, b"X-A: " + b"a" * 3000, body=b"hello"),
        answered(body=b"hello", has={"X-A": b"a" * 3000}),
    )
    yield _case(
        "head-oversized",
        "a head of 2 MB is refused, or passes whole",
        "9110 5.4",
        GOOD,
        response(_OK, five, *[b"X-%d: " % i + b"a" * 1000 for i in range(2000)], body=b"hello"),
        either(_BAD, answered(body=b"hello", has={"X-1999": b"a" * 1000})),
    )


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
            "bytes beyond the end of an answer are no answer to the next request",
            "9112 9.2",
            MUST,
            answer,
            _then_second(answered(200, 204)),
            send=two,
            expect=2,
            patience=3,
        )
    for name, later in (("answer", _EVIL), ("408", response(b"HTTP/1.1 408 Request Timeout", b"Content-Length: 8", b"X-Evil: 1", body=b"smuggled"))):
        yield _case(
            f"idle-{name}",
            "what comes unasked on an idle connection is no answer to the next request",
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
        "an empty line on an idle connection harms nobody",
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
        "nothing more is sent to an origin that said Connection: close",
        "9112 9.6",
        MUST,
        ok(b"Connection: close"),
        both(
            second,
            lambda seen: None if seen.origin_connections == 2 else f"{seen.origin_connections} connections to the origin",
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
            lambda seen: None if seen.origin_connections == 2 else f"{seen.origin_connections} connections to the origin",
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
        "an answer that comes before the request ends reaches the client",
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
    yield from _bodies()
    yield from _interim()
    yield from _client_of_1_0()
    yield from _framing()
    yield from _status_lines()
    yield from _fields()
    yield from _ends()
    yield from _early()
