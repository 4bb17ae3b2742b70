"""Fields that a proxy adds or counts: Via, Date, Max-Forwards, Forwarded and X-Forwarded-* (RFC 9110, 7.6; RFC 7239)."""

import re

from .case import CHUNKED, GOOD, MUST, SHOULD, Case, get, ok, post, request, response
from .check import answered, both, either, forwarded, passed, refused

_VIA = re.compile(rb"(?:HTTP/)?[0-9.]+ [^\s,]+(?: \([^)]*\))?(?:, *(?:[A-Za-z]+/)?[0-9.]+ [^\s,]+(?: \([^)]*\))?)*")
_DATE = re.compile(rb"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT")


def _via():
    well_formed = lambda value: _VIA.fullmatch(value) is not None
    yield Case(
        "via-added", "Via is sent to the origin", "9110 7.6.3", MUST, get(b"/a"), passed(has={"Via": well_formed})
    )
    yield Case(
        "via-appended",
        "the proxy's entry follows the received ones",
        "9110 7.6.3",
        MUST,
        get(b"/a", b"Via: 1.0 first, 1.1 second (comment)"),
        passed(
            has={"Via": lambda value: re.match(rb"1.0 first, *1.1 second( \(comment\))?, *1.1 \S", value) is not None}
        ),
    )
    yield Case(
        "via-lines",
        "several lines of Via are all kept, in order",
        "9110 7.6.3",
        MUST,
        get(b"/a", b"Via: 1.0 first", b"Via: 1.1 second"),
        passed(has={"Via": lambda value: re.match(rb"1.0 first, *1.1 second, *1.1 \S", value) is not None}),
    )
    yield Case(
        "via-received-1.0",
        "Via says the version that was received",
        "9110 7.6.3",
        MUST,
        request(b"GET /a HTTP/1.0"),
        passed(has={"Via": lambda value: re.match(rb"(HTTP/)?1.0 \S", value) is not None}),
    )
    yield Case(
        "via-answer",
        "Via of the origin's response is kept",
        "9110 7.6.3",
        MUST,
        get(b"/a"),
        answered(has={"Via": lambda value: value.startswith(b"1.1 inner")}),
        answers=(ok(b"Via: 1.1 inner"),),
    )
    yield Case(
        "via-answer-well-formed",
        "Via in a response, if the proxy adds any, is well formed",
        "9110 7.6.3",
        MUST,
        get(b"/a"),
        both(
            answered(),
            lambda seen: (
                None
                if seen.finals[0].value("Via") is None or well_formed(seen.finals[0].value("Via"))
                else f"Via {seen.finals[0].value('Via')!r}"
            ),
        ),
    )


def _date():
    for status in (200, 301, 404, 500):
        yield Case(
            f"date-{status}",
            f"a response {status} without Date gets one",
            "9110 6.6.1",
            MUST,
            get(b"/a"),
            answered(status, has={"Date": lambda value: _DATE.fullmatch(value) is not None}),
            answers=(response(b"HTTP/1.1 %d X" % status, b"Content-Length: 2", body=b"ok"),),
        )
    given = b"Tue, 15 Nov 1994 08:12:31 GMT"
    yield Case(
        "date-kept",
        "the origin's Date is kept",
        "9110 6.6.1",
        GOOD,
        get(b"/a"),
        answered(has={"Date": given}),
        answers=(ok(b"Date: " + given),),
    )
    yield Case(
        "date-own",
        "a response of the proxy has a Date",
        "9110 6.6.1",
        MUST,
        get(b"/a", b"Content-Length: x"),
        answered(400, has={"Date": lambda value: _DATE.fullmatch(value) is not None}),
    )
    for name, line in (
        ("content-encoding", b"Content-Encoding: gzip"),
        ("content-type", b"Content-Type: text/x-a; charset=x"),
        ("content-range", b"Content-Range: bytes 0-1/9"),
        ("etag", b'ETag: W/"a"'),
        ("cache-control", b"Cache-Control: no-transform, x=1"),
        ("www-authenticate", b'WWW-Authenticate: Basic realm="a", X'),
        ("location", b"Location: http://other.test/x#y"),
    ):
        field, _, value = line.partition(b": ")
        yield Case(
            f"answer-keeps-{name}",
            f"{field.decode()} of a response is forwarded unchanged",
            "9110 7.7",
            MUST,
            get(b"/a"),
            answered(has={field.decode(): value}),
            answers=(ok(line),),
        )


def _max_forwards():
    for method in (b"OPTIONS", b"TRACE"):
        name = method.decode().lower()
        line = method + b" /a HTTP/1.1"
        for received in (b"5", b"1", b"10"):
            # The proxy's own maximum may be lower.
            less = lambda value, received=received: value.isdigit() and int(value) < int(received)
            yield Case(
                f"max-forwards-{name}-{received.decode()}",
                f"{method.decode()} with Max-Forwards: {received.decode()} is forwarded with one less, or refused",
                "9110 7.6.2",
                MUST,
                request(line, b"Max-Forwards: " + received),
                either(refused(400, 403, 405, 501), passed(method=method, has={"Max-Forwards": less})),
            )
        for zero in (b"0", b"00"):
            yield Case(
                f"max-forwards-{name}-{zero.decode()}",
                f"{method.decode()} with Max-Forwards: {zero.decode()} is not sent on",
                "9110 7.6.2",
                MUST,
                request(line, b"Max-Forwards: " + zero),
                both(forwarded(count=0), answered(*range(200, 600))),
            )
        for bad in (b"x", b"-1", b"99999999999999999999", b"1, 2"):
            # A malformed value may be ignored; it must neither overflow nor corrupt the message.
            yield Case(
                f"max-forwards-{name}-bad-{bad.decode().replace(', ', '-')}",
                f"{method.decode()} with Max-Forwards: {bad.decode()}",
                "9110 7.6.2",
                GOOD,
                request(line, b"Max-Forwards: " + bad),
                either(refused(400, 403, 405, 501), both(forwarded(count=0), answered()), passed(method=method)),
            )
    yield Case(
        "max-forwards-options-star",
        "OPTIONS * with Max-Forwards: 0 is not sent on",
        "9110 7.6.2",
        MUST,
        request(b"OPTIONS * HTTP/1.1", b"Max-Forwards: 0"),
        both(forwarded(count=0), answered(*range(200, 600))),
    )
    yield Case(
        "max-forwards-get",
        "Max-Forwards means nothing with GET",
        "9110 7.6.2",
        MUST,
        get(b"/a", b"Max-Forwards: 0"),
        passed(target=b"/a"),
    )
    secret = request(b"TRACE /a HTTP/1.1", b"Cookie: a=secret", b"Max-Forwards: 0")
    yield Case(
        "trace-secrets",
        "a response to TRACE does not repeat credentials",
        "9110 9.3.8",
        SHOULD,
        secret,
        lambda seen: "the cookie came back" if b"secret" in seen.received else None,
    )
    yield Case(
        "trace-body",
        "TRACE with a body is refused, or passes without a misunderstanding",
        "9110 9.3.8",
        MUST,
        request(b"TRACE /a HTTP/1.1", b"Content-Length: 5", body=b"hello"),
        either(refused(400, 403, 405, 413, 501), passed(method=b"TRACE", body=(b"hello", b""))),
    )


def _spoofing():
    def client_alone(name):
        """The value contains the client's own address and no value that the client supplied."""

        def look(seen):
            for one in seen.requests:
                value = one.value(name)
                if value is None or seen.address.encode() not in value:
                    return f"{name} at the origin is {value!r}, without the client's address"
                if b"6.6.6.6" in value:
                    return f"{name} at the origin is {value!r}: the client made it up"
            return None

        return look

    def not_believed(name, lie):
        def look(seen):
            for one in seen.requests:
                if lie in (one.value(name) or b""):
                    return f"{name} at the origin is {one.value(name)!r}: the client made it up"
            return None

        return look

    yield Case(
        "forwarded-for",
        "X-Forwarded-For names the client",
        "7239 5.2",
        GOOD,
        get(b"/a"),
        both(passed(), client_alone("X-Forwarded-For")),
    )
    for name, lines in (
        ("spoofed", (b"X-Forwarded-For: 6.6.6.6",)),
        ("spoofed-case", (b"x-forwarded-FOR: 6.6.6.6",)),
        ("spoofed-lines", (b"X-Forwarded-For: 6.6.6.6", b"X-Forwarded-For: 6.6.6.6")),
        ("spoofed-list", (b"X-Forwarded-For: 6.6.6.6, 127.0.0.1",)),
    ):
        yield Case(
            f"forwarded-for-{name}",
            "X-Forwarded-For of an untrusted client is replaced",
            "7239 8.1",
            GOOD,
            get(b"/a", *lines),
            both(passed(), client_alone("X-Forwarded-For")),
        )
    for name, line, lie in (
        ("X-Forwarded-Proto", b"X-Forwarded-Proto: https", b"https"),
        ("X-Forwarded-Host", b"X-Forwarded-Host: evil.test", b"evil.test"),
        ("X-Forwarded-Port", b"X-Forwarded-Port: 666", b"666"),
        ("Forwarded", b"Forwarded: for=6.6.6.6;proto=https;host=evil.test", b"6.6.6.6"),
    ):
        yield Case(
            f"forwarded-{name.lower()}",
            f"{name} of an untrusted client is not believed",
            "7239 8.1",
            GOOD,
            get(b"/a", line),
            both(passed(), not_believed(name, lie)),
        )
    yield Case(
        "forwarded-host-quoted",
        "a Host that could break out of Forwarded does not",
        "7239 4",
        GOOD,
        get(b"/a", host=b"a;for=6.6.6.6"),
        either(
            refused(400),
            both(
                passed(),
                lambda seen: next(
                    (
                        f"Forwarded at the origin is {one.value('Forwarded')!r}"
                        for one in seen.requests
                        if re.search(rb"for=6\.6\.6\.6", re.sub(rb'"[^"]*"', b"", one.value("Forwarded") or b""))
                    ),
                    None,
                ),
            ),
        ),
    )
    pair = rb'[A-Za-z]+=(?:"(?:[^"\\]|\\.)*"|[!#$%&\'*+\-.^_`|~0-9A-Za-z]+)'
    element = pair + rb"(?:;" + pair + rb")*"
    grammar = re.compile(element + rb"(?:, *" + element + rb")*")
    for name, host in (("plain", b"example.com"), ("port", b"example.com:8080"), ("ipv6", b"[::1]:80")):
        yield Case(
            f"forwarded-grammar-{name}",
            "Forwarded, if it is sent, is well formed",
            "7239 4",
            MUST,
            get(b"/a", host=host),
            both(
                passed(),
                lambda seen: next(
                    (
                        f"Forwarded at the origin is {one.value('Forwarded')!r}"
                        for one in seen.requests
                        if one.value("Forwarded") is not None and not grammar.fullmatch(one.value("Forwarded"))
                    ),
                    None,
                ),
            ),
        )


def _forged():
    """Fields that an origin may trust as set by a proxy, sent by a client as header fields and as trailers."""

    def in_no_trailer(seen):
        for one in seen.requests:
            if any(b"6.6.6.6" in value for _, value in one.trailers):
                return f"the trailers {one.trailers!r} reached the origin"
        return None

    def not_at_origin(seen):
        return "it reached the origin" if b"6.6.6.6" in seen.origin_bytes else None

    for name in (
        "X-Real-IP",
        "X_Real_IP",
        "X-Real-IP-2",
        "X_Request_Id",
        "X.Forwarded.For",
        "Forwarded-For",
        "X-Original-URL",
        "X_Original_URL",
        "X-Rewrite-URL",
        "Proxy",
        "pROXY",
    ):
        line = name.encode() + b": 6.6.6.6"
        yield Case(
            f"forged-{name}",
            f"{name} of an untrusted client does not reach the origin",
            "7239 8.1",
            GOOD,
            get(b"/a", line),
            both(passed(), not_at_origin),
        )
        yield Case(
            f"forged-trailer-{name}",
            f"{name} of an untrusted client does not reach the origin as a trailer",
            "9110 6.5.1",
            GOOD,
            post(CHUNKED, body=b"1\r\nx\r\n0\r\n" + line + b"\r\n\r\n"),
            both(passed(body=b"x"), in_no_trailer, not_at_origin),
        )


def cases():
    yield from _via()
    yield from _date()
    yield from _max_forwards()
    yield from _spoofing()
    yield from _forged()
