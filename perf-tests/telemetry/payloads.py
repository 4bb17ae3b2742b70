"""Parsers for payloads to receivers of metrics, spans and logs, based only on the specifications of the formats.

OpenTSDB: https://opentsdb.net/docs/build/html/api_http/put.html; OTLP: https://opentelemetry.io/docs/specs/otlp/,
Protocol Buffers; Splunk: a sequence of JSON objects. Malformed bodies raise ValueError.
"""

import json
import struct

# The counter that is compared with the sent requests.
REQUESTS = "lychgate_requests_total"


def fields(message):
    """Number and value of each field of a Protocol Buffers message: an int, or bytes for length-delimited fields."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, wire_type = key >> 3, key & 7
        if wire_type == 0:
            value, at = _varint(message, at)
        else:
            if wire_type == 2:
                length, at = _varint(message, at)
            elif wire_type in (1, 5):
                length = 8 if wire_type == 1 else 4
            else:
                raise ValueError(f"wire type {wire_type}")
            value = message[at : at + length]
            at += length
            if at > len(message):
                raise ValueError("a field is longer than its message")
        yield number, value


def _varint(message, at):
    value = shift = 0
    while True:
        if at >= len(message) or shift > 63:
            raise ValueError("a number has no end")
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def inner(message, *path):
    """The values of all fields at a path of field numbers."""
    found = [message]
    for wanted in path:
        found = [value for one in found for number, value in fields(one) if number == wanted]
    return found


def otlp_total(body):
    """The number of requests in an ExportMetricsServiceRequest; None if it is missing."""
    values = []
    for metric in inner(body, 1, 2, 2):
        if inner(metric, 1) == [REQUESTS.encode()]:
            values += [struct.unpack("<d", value)[0] for value in inner(metric, 7, 1, 4)]
    return sum(values) if values else None


def otlp_spans(body):
    """The id of each span in an ExportTraceServiceRequest, in hexadecimal digits, after its trace id."""
    found = []
    for span in inner(body, 1, 2, 2):
        (trace,), (own,) = inner(span, 1), inner(span, 2)
        (begun,), (ended,) = (struct.unpack("<Q", value) for number in (7, 8) for value in inner(span, number))
        if len(trace) != 16 or len(own) != 8 or not inner(span, 5) or not 0 < begun <= ended:
            raise ValueError("a span without identity, name or times")
        found.append(trace.hex() + own.hex())
    return found


def tsdb_rows(body):
    """(time, tags, number of requests) of each row of that counter."""
    found = []
    for row in json.loads(body):
        value = float(row["value"])
        if row["timestamp"] <= 0 or not row["tags"]:
            raise ValueError("a row without time or tags")
        if row["metric"] == REQUESTS:
            found.append((row["timestamp"], json.dumps(row["tags"], sort_keys=True), value))
    return found


def hec_events(body):
    """(number of the request, status) of each event; the query of a request is its number."""
    decoder, text, at, found = json.JSONDecoder(), body.decode("ascii"), 0, []
    while at < len(text):
        event, at = decoder.raw_decode(text, at)
        while at < len(text) and text[at].isspace():
            at += 1
        if event["sourcetype"] != "lychgate:access" or event["time"] <= 0:
            raise ValueError("an event without source type or time")
        found.append((int(event["event"]["query"]), event["event"]["status"]))
    return found
