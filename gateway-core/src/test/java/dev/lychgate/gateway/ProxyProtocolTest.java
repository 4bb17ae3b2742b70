package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ListenerTimeouts;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.proxyprotocol.ProxyFault;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Trusted proxies send a PROXY protocol header with the client first. */
@Tag("slow")
class ProxyProtocolTest {
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    private static final String GET = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n";
    private static final String TOLD = "PROXY TCP4 192.0.2.7 203.0.113.1 50000 8443\r\n";

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    private static ScriptedOrigin hello() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("hello")));
    }

    private static Setup announced(ScriptedOrigin origin) {
        return Setup.to(origin.address()).announcedBy("127.0.0.0/8");
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    private static byte[] text(String text) {
        return text.getBytes(US_ASCII);
    }

    /** Sends {@code header} and a request, and expects that its client is {@code client}. */
    private static void tells(byte[] header, String client) throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = announced(origin).start();
                RawClient proxy = gateway.client()) {
            byte[] request = text(GET);
            byte[] both = ByteBuffer.allocate(header.length + request.length)
                    .put(header)
                    .put(request)
                    .array();
            assertThat(proxy.send(both).readResponse().body()).isEqualTo("hello");
            // The header applies to all later requests.
            assertThat(proxy.get("/").body()).isEqualTo("hello");
            assertThat(origin.requests())
                    .hasSize(2)
                    .allSatisfy(r -> assertThat(r.value("x-forwarded-for")).contains(client));
        }
    }

    private static void refuses(byte[] header, ProxyFault fault) throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = announced(origin).start();
                RawClient proxy = gateway.client()) {
            proxy.send(header).awaitEnd();
            eventually(() -> assertThat(gateway.counters().proxyFaults(fault)).isEqualTo(1));
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PROXY TCP4 192.0.2.7 203.0.113.1 50000 8443, 192.0.2.7",
        "PROXY TCP6 2001:db8::7 2001:db8::1 50000 443, 2001:db8::7",
        "PROXY TCP6 ::ffff:192.0.2.7 ::ffff:203.0.113.1 0 65535, 192.0.2.7",
        "PROXY TCP6 ::192.0.2.7 2001:db8::1 50000 443, ::c000:207",
        "PROXY TCP4 10.0.0.0 0.0.0.0 0 1, 10.0.0.0",
        "PROXY TCP6 2001:0DB8:0000::0007 2001:db8::1 50000 443, 2001:db8::7",
        "PROXY UNKNOWN, 127.0.0.1",
        "PROXY UNKNOWN ffff::1 whatever 1 2, 127.0.0.1"
    })
    void version1TellsTheClient(String line, String client) throws Exception {
        tells(text(line + "\r\n"), client);
    }

    @ParameterizedTest
    @CsvSource({
        "21 11 000c c0000207 cb007101 c350 20fb, 192.0.2.7",
        "21 21 0024 20010db8000000000000000000000007 20010db8000000000000000000000001 c350 20fb, 2001:db8::7",
        // Fields after the addresses.
        "21 11 0011 c0000207 cb007101 c350 20fb 04 0002 0000, 192.0.2.7",
        // LOCAL, with addresses that are to be ignored, and unspecified ones.
        "20 11 000c c0000207 cb007101 c350 20fb, 127.0.0.1",
        "20 00 0000, 127.0.0.1",
        "21 00 0000, 127.0.0.1",
        // PROXY without a family: the whole length is skipped, neither a field nor a checksum is read.
        "21 00 0003 04ffff, 127.0.0.1",
        "21 00 000c c0000207 cb007101 c350 20fb, 127.0.0.1",
        "21 00 0007 03 0004 00000001, 127.0.0.1"
    })
    void version2TellsTheClient(String rest, String client) throws Exception {
        tells(hex(SIGNATURE + rest), client);
    }

    @Test
    void addressesOfUnixSocketsNameNoClient() throws Exception {
        tells(hex(SIGNATURE + "21 31 00d8" + "00".repeat(216)), "127.0.0.1");
    }

    private static byte[] withChecksum(int wrong) {
        byte[] header = hex(SIGNATURE + "21 11 0013 c0000207 cb007101 c350 20fb 03 0004 00000000");
        CRC32C sum = new CRC32C();
        sum.update(header);
        return ByteBuffer.wrap(header)
                .putInt(header.length - 4, (int) sum.getValue() + wrong)
                .array();
    }

    @Test
    void aChecksumMustBeRight() throws Exception {
        tells(withChecksum(0), "192.0.2.7");
        refuses(withChecksum(1), ProxyFault.CHECKSUM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GET,
                "PROXY TCP4 192.0.2.7 203.0.113.1 50000 8443\n",
                "PROXY TCP4 192.0.2.7 203.0.113.1 50000\r\n",
                "PROXY TCP4 192.0.2.7 203.0.113.1 50000 8443 1\r\n",
                "PROXY TCP4  192.0.2.7 203.0.113.1 50000 8443\r\n",
                "PROXY TCP4 2001:db8::7 2001:db8::1 50000 443\r\n",
                "PROXY TCP6 192.0.2.7 203.0.113.1 50000 443\r\n",
                "PROXY TCP6 [2001:db8::7] 2001:db8::1 50000 443\r\n",
                "PROXY TCP6 fe80::1%lo 2001:db8::1 50000 443\r\n",
                "PROXY TCP4 a.test 203.0.113.1 50000 8443\r\n",
                "PROXY TCP4 192.0.2.7 203.0.113.1 65536 8443\r\n",
                "PROXY TCP4 192.0.2.7 203.0.113.1 050 8443\r\n",
                "PROXY TCP4 192.0.2.7 203.0.113.1 50000 08443\r\n",
                "PROXY TCP4 192.0.2.7 203.0.113.1 50000 00\r\n",
                "PROXY TCP4 192.0.2.7 203.0.113.1 +50000 8443\r\n",
                "PROXY TCP4 192.0.2.07 203.0.113.1 50000 8443\r\n",
                "PROXY TCP4 0192.0.2.7 203.0.113.1 50000 8443\r\n",
                "PROXY TCP4 00.0.2.7 203.0.113.1 50000 8443\r\n",
                "PROXY TCP4 192.0.2.7 203.0.0113.1 50000 8443\r\n",
                "PROXY TCP4 192.0.2.7 203.0.113.010 50000 8443\r\n",
                "PROXY TCP4 192.0.2 203.0.113.1 50000 8443\r\n",
                "PROXY TCP4 192.0.2.256 203.0.113.1 50000 8443\r\n",
                "PROXY TCP4 0xc0.0.2.7 203.0.113.1 50000 8443\r\n",
                "PROXY TCP4 3221225991 203.0.113.1 50000 8443\r\n",
                "PROXY TCP6 ::ffff:192.0.02.7 2001:db8::1 50000 443\r\n",
                "PROXY TCP6 2001:db8::00007 2001:db8::1 50000 443\r\n",
                "PROXY TCP6 2001::db8::7 2001:db8::1 50000 443\r\n",
                "PROXY TCP4 192.0.2.7\t203.0.113.1 50000 8443\r\n",
                "PROXY TCP4 192.0.2.7 203.0.113.1 -1 8443\r\n",
                "PROXY UDP4 192.0.2.7 203.0.113.1 50000 8443\r\n",
                "proxy UNKNOWN\r\n"
            })
    void garbageOfVersion1IsClosed(String garbage) throws Exception {
        refuses(text(garbage), ProxyFault.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "11 11 000c c0000207 cb007101 c350 20fb", // version 1
                "22 11 000c c0000207 cb007101 c350 20fb", // no such command
                "21 12 000c c0000207 cb007101 c350 20fb", // UDP
                "21 41 000c c0000207 cb007101 c350 20fb", // no such family
                "21 11 000b c0000207 cb007101 c350 20", // too short
                "21 11 000e c0000207 cb007101 c350 20fb 0400", // half a field
                "21 11 000f c0000207 cb007101 c350 20fb 040001", // a field beyond the end
                "21 11 0010 c0000207 cb007101 c350 20fb 030001 00" // half a checksum
            })
    void garbageOfVersion2IsClosed(String rest) throws Exception {
        refuses(hex(SIGNATURE + rest), ProxyFault.MALFORMED);
    }

    @Test
    void aHeaderMayNotBeTooLong() throws Exception {
        refuses(text("PROXY UNKNOWN " + "x".repeat(93)), ProxyFault.TOO_LONG);
        // Detected by its length: the rest is not awaited.
        refuses(hex(SIGNATURE + "21 11 0ff1"), ProxyFault.TOO_LONG);
        tells(text("PROXY UNKNOWN " + "x".repeat(91) + "\r\n"), "127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHeaderMayComeByteByByte(boolean binary) throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = announced(origin).start();
                RawClient proxy = gateway.client()) {
            byte[] header = binary ? hex(SIGNATURE + "21 11 000c c0000207 cb007101 c350 20fb") : text(TOLD);
            for (byte b : header) {
                proxy.send(new byte[] {b});
                Thread.onSpinWait();
            }
            assertThat(proxy.get("/").body()).isEqualTo("hello");
            assertThat(origin.requests().get(0).value("x-forwarded-for")).contains("192.0.2.7");
            assertThat(origin.requests().get(0).value("x-forwarded-port")).contains("8443");
        }
    }

    @Test
    void aProxyWithoutAHeaderInTimeIsClosed() throws Exception {
        Duration enough = Duration.ofSeconds(30);
        try (ScriptedOrigin origin = hello();
                Running gateway = announced(origin)
                        .clients(new ListenerTimeouts(Duration.ofMillis(300), enough, enough, enough))
                        .start();
                RawClient silent = gateway.client();
                RawClient slow = gateway.client()) {
            slow.send("PROXY TC");
            silent.awaitEnd();
            slow.awaitEnd();
            assertThat(gateway.counters().proxyFaults(ProxyFault.TIMEOUT)).isEqualTo(2);
        }
    }

    @Test
    void aProbeOfThePortIsNotCounted() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = announced(origin).start()) {
            gateway.client().close();
            try (RawClient begins = gateway.client()) {
                begins.send("PROXY");
            }
            eventually(() -> assertThat(gateway.counters().proxyFaults(ProxyFault.CLOSED))
                    .isEqualTo(1));
            eventually(() -> assertThat(gateway.counters().open()).isZero());
            assertThat(gateway.counters().proxyFaults(ProxyFault.CLOSED)).isEqualTo(1);
        }
    }

    @Test
    void aPendingHeaderDoesNotDelayTheDrain() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = announced(origin).start();
                RawClient slow = gateway.client()) {
            slow.send("PROXY TC");
            eventually(() -> assertThat(gateway.counters().open()).isEqualTo(1));
            assertThat(gateway.drain(Duration.ofSeconds(20))).isZero();
            slow.awaitEnd();
        }
    }

    @Test
    void ignoresHeadersOfUntrustedPeers() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway =
                        Setup.to(origin.address()).announcedBy("10.0.0.0/8").start();
                RawClient plain = gateway.client();
                RawClient forger = gateway.client()) {
            assertThat(plain.get("/").body()).isEqualTo("hello");
            assertThat(forger.send(TOLD + GET).readResponse().status()).isEqualTo(400);
            assertThat(origin.requests().get(0).value("x-forwarded-for")).contains("127.0.0.1");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void tlsFollowsTheHeader() throws Exception {
        Certificates authority = Certificates.authority("Test Authority");
        TlsConfig tls = TlsConfig.of(Certificates.pem(directory, "site", authority.issue("lychgate.test")));
        try (ScriptedOrigin origin = hello();
                Running gateway = announced(origin).tls(tls).start();
                TlsClient client = TlsClient.connectSaying(
                        text(TOLD), gateway.gateway().address("main"), authority.context(null), "lychgate.test")) {
            assertThat(client.raw().get("/").body()).isEqualTo("hello");
            assertThat(origin.requests().get(0).value("x-forwarded-for")).contains("192.0.2.7");
            assertThat(origin.requests().get(0).value("x-forwarded-proto")).contains("https");
        }
    }

    @Test
    void thePrefaceOfHttp2FollowsTheHeader() throws Exception {
        try (ScriptedOrigin origin = hello();
                Running gateway = announced(origin).start();
                Http2Client client = Http2Client.silent(gateway.gateway().address("main"))) {
            client.send(TOLD).preface();
            assertThat(client.get(1, "/").response(1).body()).isEqualTo("hello");
            assertThat(origin.requests().get(0).value("x-forwarded-for")).contains("192.0.2.7");
        }
    }
}
