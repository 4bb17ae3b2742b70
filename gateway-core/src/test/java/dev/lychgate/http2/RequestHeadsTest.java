package dev.lychgate.http2;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.testing.Rfc;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of an HTTP/2 request that must never reach an HTTP/1.1 origin, and the translation of the others. */
class RequestHeadsTest {
    private static ReceivedRequest read(boolean end, String... namesAndValues) {
        HeaderFields fields = new HeaderFields(32);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(bytes(namesAndValues[i]), bytes(namesAndValues[i + 1]));
        }
        return new RequestHeads(100, false, true).read(fields, end);
    }

    private static AsciiString bytes(String text) {
        return new AsciiString(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static ReceivedRequest request(String method, String authority, String path, String... more) {
        String[] all = new String[8 + more.length];
        String[] first = {":method", method, ":scheme", "https", ":authority", authority, ":path", path};
        System.arraycopy(first, 0, all, 0, 8);
        System.arraycopy(more, 0, all, 8, more.length);
        return read(false, all);
    }

    private static void assertMalformed(ReceivedRequest request) {
        assertThat(request.head()).isNull();
        assertThat(request.malformed()).isTrue();
        assertThat(requireNonNull(request.refusal()).kind()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
    }

    private static void assertBadHost(ReceivedRequest request) {
        assertThat(request.head()).isNull();
        assertThat(request.malformed()).isTrue();
        assertThat(requireNonNull(request.refusal()).kind()).isEqualTo(ErrorKind.BAD_HOST);
    }

    private static void assertRefused(ReceivedRequest request, ErrorKind kind) {
        assertThat(request.head()).isNull();
        assertThat(request.malformed()).isFalse();
        assertThat(requireNonNull(request.refusal()).kind()).isEqualTo(kind);
    }

    private static RequestHead head(ReceivedRequest request) {
        assertThat(request.refusal()).isNull();
        return requireNonNull(request.head());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /admin HTTP/1.1\r\nHost: evil\r\n\r\n",
                "GE T",
                "GET\r\n",
                "GET\0",
                "G:T",
                " GET",
                "G\u00e9T"
            })
    @Rfc({"9113, 8.2.1", "9113, 10.3"})
    void noMethods(String method) {
        assertMalformed(request(method, "a", "/"));
    }

    @Test
    @Rfc("9110, 9.1")
    void aMethodHasAtMost64Bytes() {
        String longest = "M".repeat(64);
        assertThat(head(request(longest, "a", "/")).method().name()).isEqualTo(longest);
        assertRefused(request(longest + "M", "a", "/"), ErrorKind.NOT_IMPLEMENTED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "http://evil/",
                "//evil\r\n",
                "/ HTTP/1.1\r\nHost: evil\r\n\r\nGET /",
                "/a b",
                "/a\tb",
                "/#",
                "/a#b",
                "*",
                "/\0",
                "/\u007f",
                "?a",
                "/ "
            })
    @Rfc({"9113, 8.3.1", "9113, 10.3"})
    void noPaths(String path) {
        assertMalformed(request("GET", "a", path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "user@a",
                "user:pw@a",
                "a/b",
                "a b",
                "a:b",
                "a:99999",
                "a?b",
                "a#b",
                "[::1",
                "a,b",
                "a\\b",
                "http://a",
                "s%65cret.test"
            })
    @Rfc("9113, 8.3.1")
    void noAuthorities(String authority) {
        assertBadHost(request("GET", authority, "/"));
        assertBadHost(read(true, ":method", "GET", ":scheme", "http", ":path", "/", "host", authority));
    }

    @ParameterizedTest
    @CsvSource({"a, A, true", "a:80, a:80, true", "a, b, false", "a, a:80, false", "a, '', false"})
    @Rfc("9113, 8.3.1")
    void aHostFieldMayRepeatTheAuthorityAndNotDiffer(String authority, String host, boolean taken) {
        ReceivedRequest request = request("GET", authority, "/", "host", host);
        if (taken) {
            assertThat(request.head()).isNotNull();
        } else {
            assertBadHost(request);
        }
    }

    @ParameterizedTest
    @CsvSource({"a, b", "a, a"})
    @Rfc("9112, 3.2")
    void rejectsSeveralHostFields(String first, String second) {
        assertBadHost(read(true, ":method", "GET", ":scheme", "http", ":path", "/", "host", first, "host", second));
        assertBadHost(request("GET", "a", "/", "host", first, "host", second));
    }

    @Test
    @Rfc("9113, 8.3.1")
    void rejectsRequestWithoutAuthority() {
        assertBadHost(read(true, ":method", "GET", ":scheme", "http", ":path", "/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"+3", "-1", " 3", "3 ", "0x3", "3,3", "3, 3", "", "1e1", "9999999999999999999", "3\u000b"})
    @Rfc("9113, 8.1.1")
    void noLengths(String length) {
        assertMalformed(request("POST", "a", "/", "content-length", length));
    }

    @Test
    @Rfc("9113, 8.1.1")
    void twoLengthsAreTooManyEvenIfTheyAreTheSame() {
        assertMalformed(request("POST", "a", "/", "content-length", "3", "content-length", "3"));
        assertMalformed(read(
                true, ":method", "POST", ":scheme", "http", ":authority", "a", ":path", "/", "content-length", "3"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transfer-encoding|chunked",
                "connection|content-length",
                "x\r\ntransfer-encoding|chunked",
                "x: y\r\ntransfer-encoding|chunked",
                "transfer-encoding |chunked",
                "content-length:|3",
                "x|a\r\ntransfer-encoding: chunked",
                "x|a\ntransfer-encoding: chunked",
                "x|a\r\n\r\nGET /evil HTTP/1.1\r\nhost: a\r\n\r\n",
                "Host|evil"
            })
    @Rfc({"9113, 8.2.1", "9113, 8.2.2", "9113, 10.3"})
    void fieldsCannotInjectFieldsOrFraming(String field) {
        int bar = field.indexOf('|');
        assertMalformed(request("POST", "a", "/", field.substring(0, bar), field.substring(bar + 1)));
    }

    @Test
    void rejectsRequestsWithMissingOrForbiddenFields() {
        assertMalformed(read(true, ":scheme", "http", ":authority", "a", ":path", "/"));
        assertMalformed(read(true, ":method", "GET", ":authority", "a", ":path", "/"));
        assertMalformed(read(true, ":method", "GET", ":scheme", "http", ":authority", "a"));
        assertMalformed(request("GET", "a", "/", ":status", "200"));
        assertMalformed(read(true, ":status", "200", ":method", "GET", ":scheme", "http", ":path", "/"));
        assertMalformed(read(true, ":protocol", "x", ":method", "GET", ":scheme", "http", ":path", "/"));
    }

    @Test
    @Rfc("9113, 8.5")
    void connectIsUnderstoodAndNotServed() {
        assertRefused(read(false, ":method", "CONNECT", ":authority", "a:1"), ErrorKind.METHOD_NOT_ALLOWED);
        assertMalformed(read(false, ":method", "CONNECT"));
        assertMalformed(read(false, ":method", "CONNECT", ":authority", "a", ":path", "/"));
    }

    private static String[] connect(String protocol, String... more) {
        String[] all = new String[10 + more.length];
        String[] first = {
            ":method", "CONNECT", ":protocol", protocol, ":scheme", "https", ":authority", "a", ":path", "/p?q"
        };
        System.arraycopy(first, 0, all, 0, 10);
        System.arraycopy(more, 0, all, 10, more.length);
        return all;
    }

    private static String[] webSocket(String... more) {
        String[] all = new String[2 + more.length];
        all[0] = "sec-websocket-version";
        all[1] = "13";
        System.arraycopy(more, 0, all, 2, more.length);
        return connect("websocket", all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"websocket", "WebSocket"})
    @Rfc("8441, 4")
    void connectForAWebSocketIsTheSameAsAnUpgrade(String protocol) {
        RequestHead head = head(read(
                false,
                connect(
                        protocol,
                        "sec-websocket-version",
                        "13",
                        "sec-websocket-key",
                        "dGhlIHNhbXBsZSBub25jZQ==",
                        "sec-websocket-accept",
                        "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
                        "sec-websocket-protocol",
                        "chat",
                        "origin",
                        "https://a")));
        assertThat(head.protocol()).isEqualTo("websocket");
        assertThat(head.method().name()).isEqualTo("GET");
        assertThat(head.framing()).isEqualTo(BodyFraming.NONE);
        assertThat(head.rawPath()).isEqualTo("/p");
        assertThat(head.query()).isEqualTo("q");
        assertThat(head.host()).isEqualTo("a");
        assertThat(head.headers().names())
                .containsExactlyInAnyOrder("host", "sec-websocket-version", "sec-websocket-protocol", "origin");
    }

    @Test
    @Rfc("8441, 4")
    void aProtocolWithoutTheRestOfAnExtendedConnectIsMalformed() {
        assertMalformed(request("GET", "a", "/", "sec-websocket-version", "13", ":protocol", "websocket"));
        assertMalformed(read(
                false,
                ":method",
                "GET",
                ":protocol",
                "websocket",
                ":scheme",
                "https",
                ":authority",
                "a",
                ":path",
                "/"));
        assertMalformed(read(false, ":method", "CONNECT", ":protocol", "websocket", ":authority", "a"));
        assertMalformed(read(false, ":method", "CONNECT", ":protocol", "websocket", ":authority", "a", ":path", "/"));
        assertMalformed(
                read(false, ":method", "CONNECT", ":protocol", "websocket", ":authority", "a", ":scheme", "https"));
        assertMalformed(read(false, webSocket(":protocol", "websocket")));
        assertMalformed(read(false, connect("")));
        assertMalformed(read(false, connect("web socket")));
        assertMalformed(read(false, connect("websocket\r\nUpgrade: x")));
    }

    @ParameterizedTest
    @CsvSource({"connection,upgrade", "upgrade,websocket", "transfer-encoding,chunked", "te,gzip", "keep-alive,1"})
    @Rfc("9113, 8.2.2")
    void anExtendedConnectBringsNoFieldsOfAConnection(String name, String value) {
        assertMalformed(read(false, webSocket(name, value)));
    }

    @Test
    @Rfc({"8441, 5", "6455, 4.2.1"})
    void aHandshakeThatIsNotInOrderIsRefused() {
        assertRefused(read(false, connect("connect-udp")), ErrorKind.NOT_IMPLEMENTED);
        assertRefused(read(false, connect("websocket")), ErrorKind.MALFORMED_REQUEST);
        assertRefused(read(false, connect("websocket", "sec-websocket-version", "8")), ErrorKind.WEBSOCKET_VERSION);
        assertRefused(read(false, webSocket("sec-websocket-version", "13")), ErrorKind.MALFORMED_REQUEST);
        assertRefused(read(false, webSocket("content-length", "1")), ErrorKind.MALFORMED_REQUEST);
        assertRefused(read(true, webSocket()), ErrorKind.MALFORMED_REQUEST);
        assertBadHost(read(false, webSocket("host", "b")));
        assertMalformed(read(false, webSocket("content-length", "x")));
        assertMalformed(read(true, webSocket("content-length", "1")));
        assertThat(head(read(false, webSocket("content-length", "0"))).framing())
                .isEqualTo(BodyFraming.NONE);
    }

    @Test
    @Rfc("9110, 8.3")
    void contentTypesDoNotDiffer() {
        assertRefused(
                request("POST", "a", "/", "content-type", "text/a", "content-type", "text/b"),
                ErrorKind.MALFORMED_REQUEST);
        RequestHead equal = head(request("POST", "a", "/", "content-type", "text/a", "content-type", "text/a"));
        assertThat(equal.headers().getAll("content-type")).containsExactly("text/a", "text/a");
    }

    @Test
    void createsARequestFromItsFields() {
        RequestHead head = head(request(
                "POST", "h.test:8", "/p%20q?a=?b", "cookie", "a=1", "x", "y", "cookie", "b=2", "content-length", "7"));
        assertThat(head.rawPath()).isEqualTo("/p%20q");
        assertThat(head.query()).isEqualTo("a=?b");
        assertThat(head.host()).isEqualTo("h.test:8");
        assertThat(head.headers().getAll("cookie")).containsExactly("a=1; b=2");
        assertThat(head.headers().getAll("host")).containsExactly("h.test:8");
        assertThat(head.headers().contains("content-length")).isFalse();
        assertThat(head.framing()).isEqualTo(BodyFraming.LENGTH);
        assertThat(head.contentLength()).isEqualTo(7);
        assertThat(head(request("POST", "a", "/")).framing()).isEqualTo(BodyFraming.CHUNKED);
        assertThat(head(read(true, ":method", "OPTIONS", ":scheme", "http", ":authority", "a", ":path", "*"))
                        .framing())
                .isEqualTo(BodyFraming.NONE);
    }

    @Test
    void refusesTooLargeHeadsWithoutAProtocolError() {
        assertRefused(request("GET", "a", "/" + "x".repeat(100)), ErrorKind.URI_TOO_LONG);
        String[] many = new String[80];
        java.util.Arrays.fill(many, "x");
        assertRefused(request("GET", "a", "/", many), ErrorKind.HEADERS_TOO_LARGE);
    }
}
