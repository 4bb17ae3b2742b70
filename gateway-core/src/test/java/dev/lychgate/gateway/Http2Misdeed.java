package dev.lychgate.gateway;

import static dev.lychgate.testing.Http2Client.ACK;
import static dev.lychgate.testing.Http2Client.CONTINUATION;
import static dev.lychgate.testing.Http2Client.DATA;
import static dev.lychgate.testing.Http2Client.END_HEADERS;
import static dev.lychgate.testing.Http2Client.END_STREAM;
import static dev.lychgate.testing.Http2Client.GOAWAY;
import static dev.lychgate.testing.Http2Client.HEADERS;
import static dev.lychgate.testing.Http2Client.INITIAL_WINDOW;
import static dev.lychgate.testing.Http2Client.NONE;
import static dev.lychgate.testing.Http2Client.PADDED;
import static dev.lychgate.testing.Http2Client.PING;
import static dev.lychgate.testing.Http2Client.PRIORITY;
import static dev.lychgate.testing.Http2Client.PUSH_PROMISE;
import static dev.lychgate.testing.Http2Client.RST_STREAM;
import static dev.lychgate.testing.Http2Client.SETTINGS;
import static dev.lychgate.testing.Http2Client.WINDOW_UPDATE;
import static dev.lychgate.testing.Http2Client.WITH_PRIORITY;
import static dev.lychgate.testing.Http2Client.request;

import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Http2Client;
import java.io.IOException;
import java.util.stream.Stream;

/**
 * What a client may do wrong in HTTP/2.
 *
 * @param name a description
 * @param error the resulting error
 */
record Http2Misdeed(String name, Http2Error error, Deed deed) {
    /** Runs beside, or on, an open stream that awaits a body of 5 bytes. */
    interface Deed {
        Http2Client on(Http2Client client, int stream) throws IOException;
    }

    private static Http2Misdeed fault(String name, Http2Error error, Deed deed) {
        return new Http2Misdeed(name, error, deed);
    }

    /** Faults by which a connection ends; stream 1 is open. */
    static Stream<Http2Misdeed> endingConnections() {
        return Stream.of(
                fault("DATA of no stream", Http2Error.PROTOCOL_ERROR, (c, id) -> c.frame(DATA, NONE, 0, new byte[1])),
                fault("DATA of a stream not begun", Http2Error.PROTOCOL_ERROR, (c, id) -> c.data(9, "x", false)),
                fault(
                        "padding longer than the frame",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.frame(DATA, PADDED, 1, (byte) 9, (byte) 0)),
                fault("padding without its length", Http2Error.FRAME_SIZE_ERROR, (c, id) -> c.frame(DATA, PADDED, 1)),
                fault(
                        "HEADERS of no stream",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.headers(0, END_STREAM, request("GET", "/"))),
                fault("HEADERS of an even stream", Http2Error.PROTOCOL_ERROR, (c, id) -> c.get(2, "/")),
                fault(
                        "HEADERS of a stream that was passed over",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.get(9, "/").get(5, "/")),
                fault(
                        "HEADERS too short for their priority",
                        Http2Error.FRAME_SIZE_ERROR,
                        (c, id) -> c.frame(HEADERS, END_HEADERS | WITH_PRIORITY, 3, new byte[4])),
                fault(
                        "a header block that is no HPACK",
                        Http2Error.COMPRESSION_ERROR,
                        (c, id) -> c.frame(HEADERS, END_HEADERS, 3, (byte) 0xff, (byte) 0xff)),
                fault(
                        "another frame within a header block",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.frame(HEADERS, END_STREAM, 3).frame(PING, NONE, 0, new byte[8])),
                fault(
                        "CONTINUATION of another stream",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.frame(HEADERS, END_STREAM, 3).frame(CONTINUATION, END_HEADERS, 5)),
                fault(
                        "CONTINUATION of nothing",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.frame(CONTINUATION, END_HEADERS, 1)),
                fault(
                        "PRIORITY of no stream",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.frame(PRIORITY, NONE, 0, new byte[5])),
                fault(
                        "PRIORITY too short",
                        Http2Error.FRAME_SIZE_ERROR,
                        (c, id) -> c.frame(PRIORITY, NONE, 3, new byte[4])),
                fault("RST_STREAM of no stream", Http2Error.PROTOCOL_ERROR, (c, id) -> c.cancel(0)),
                fault("RST_STREAM of a stream not begun", Http2Error.PROTOCOL_ERROR, (c, id) -> c.cancel(9)),
                fault(
                        "RST_STREAM too short",
                        Http2Error.FRAME_SIZE_ERROR,
                        (c, id) -> c.frame(RST_STREAM, NONE, 1, new byte[3])),
                fault("SETTINGS of a stream", Http2Error.PROTOCOL_ERROR, (c, id) -> c.frame(SETTINGS, NONE, 1)),
                fault(
                        "SETTINGS cut short",
                        Http2Error.FRAME_SIZE_ERROR,
                        (c, id) -> c.frame(SETTINGS, NONE, 0, new byte[5])),
                fault(
                        "an acknowledgement with settings",
                        Http2Error.FRAME_SIZE_ERROR,
                        (c, id) -> c.frame(SETTINGS, ACK, 0, new byte[6])),
                fault("ENABLE_PUSH of 2", Http2Error.PROTOCOL_ERROR, (c, id) -> c.settings(2, 2)),
                fault(
                        "a first window of 2^31",
                        Http2Error.FLOW_CONTROL_ERROR,
                        (c, id) -> c.settings(INITIAL_WINDOW, 1 << 31)),
                fault("frames of 100 bytes at most", Http2Error.PROTOCOL_ERROR, (c, id) -> c.settings(5, 100)),
                fault("PUSH_PROMISE", Http2Error.PROTOCOL_ERROR, (c, id) -> c.frame(PUSH_PROMISE, END_HEADERS, 1)),
                fault("PING of a stream", Http2Error.PROTOCOL_ERROR, (c, id) -> c.frame(PING, NONE, 1, new byte[8])),
                fault("PING too long", Http2Error.FRAME_SIZE_ERROR, (c, id) -> c.frame(PING, NONE, 0, new byte[9])),
                fault(
                        "GOAWAY of a stream",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.frame(GOAWAY, NONE, 1, new byte[8])),
                fault(
                        "GOAWAY too short",
                        Http2Error.FRAME_SIZE_ERROR,
                        (c, id) -> c.frame(GOAWAY, NONE, 0, new byte[7])),
                fault("WINDOW_UPDATE by nothing", Http2Error.PROTOCOL_ERROR, (c, id) -> c.windowUpdate(0, 0)),
                fault(
                        "WINDOW_UPDATE too short",
                        Http2Error.FRAME_SIZE_ERROR,
                        (c, id) -> c.frame(WINDOW_UPDATE, NONE, 0, new byte[3])),
                fault(
                        "WINDOW_UPDATE of a stream not begun",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.windowUpdate(9, 1)),
                fault(
                        "WINDOW_UPDATE beyond 2^31-1",
                        Http2Error.FLOW_CONTROL_ERROR,
                        (c, id) -> c.windowUpdate(0, Integer.MAX_VALUE)),
                fault(
                        "a frame longer than allowed",
                        Http2Error.FRAME_SIZE_ERROR,
                        (c, id) -> c.frame(99, NONE, 0, new byte[16 * 1024 + 1])));
    }

    /** Faults by which the stream ends that they are done on. */
    static Stream<Http2Misdeed> endingStreams() {
        return Stream.of(
                fault("WINDOW_UPDATE by nothing", Http2Error.PROTOCOL_ERROR, (c, id) -> c.windowUpdate(id, 0)),
                fault(
                        "WINDOW_UPDATE beyond 2^31-1",
                        Http2Error.FLOW_CONTROL_ERROR,
                        (c, id) -> c.windowUpdate(id, Integer.MAX_VALUE)),
                fault("a body that is too long", Http2Error.PROTOCOL_ERROR, (c, id) -> c.data(id, "123456", false)),
                fault("a body that is too short", Http2Error.PROTOCOL_ERROR, (c, id) -> c.data(id, "1234", true)),
                fault(
                        "trailers behind a body that is too short",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.headers(id, END_STREAM, "x", "y")),
                fault(
                        "header fields within a body",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.data(id, "12345", false).headers(id, NONE, "x", "y")),
                fault(
                        "a pseudo-field among trailers",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.data(id, "12345", false).headers(id, END_STREAM, ":path", "/")),
                fault(
                        "trailers with a field of HTTP/1.1",
                        Http2Error.PROTOCOL_ERROR,
                        (c, id) -> c.data(id, "12345", false).headers(id, END_STREAM, "upgrade", "x")),
                fault(
                        "DATA behind the end",
                        Http2Error.STREAM_CLOSED,
                        (c, id) -> c.data(id, "12345", true).data(id, "6", true)),
                fault(
                        "HEADERS behind the end",
                        Http2Error.STREAM_CLOSED,
                        (c, id) -> c.data(id, "12345", true).headers(id, END_STREAM, "x", "y")));
    }

    void on(Http2Client client, int stream) throws IOException {
        deed.on(client, stream);
    }

    @Override
    public String toString() {
        return name;
    }
}
