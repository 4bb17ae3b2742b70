package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.ClientAddressConfig;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client that the lists of trusted proxies lead to. The peer is 10.0.0.1; 10.0.0.0/8 and fd00::/8 are trusted. */
class ForwardedClientTest {
    private static final String PEER = "10.0.0.1";

    private final LongAdder unusable = new LongAdder();
    private final LongAdder conflicts = new LongAdder();

    private String client(String header, int hops, String... namesAndValues) throws Exception {
        return client(header, hops, fields(namesAndValues));
    }

    private String client(String header, int hops, HttpHeaders headers) throws Exception {
        ClientAddressConfig config = new ClientAddressConfig(header, hops);
        ClientRecords records = ClientRecords.of(List.of(config, new ClientAddressConfig("cf-connecting-ip", 0)));
        ForwardedClient forwarded = new ForwardedClient(
                List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("fd00::/8")), config, records, unusable, conflicts);
        InetSocketAddress peer = new InetSocketAddress(InetAddress.getByName(PEER), 50_000);
        return NetUtil.toAddressString(forwarded.settle(headers, peer).getAddress());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 192.0.2.7, true",
        "2, 192.0.2.7, true",
        "0, 6.6.6.6, false",
        "2, 6.6.6.6, false",
        "0, '6.6.6.6, 10.0.0.2', false",
        "0, unknown, true"
    })
    void aHeaderOfAnotherListenerStaysUnlessItNamesAnotherClient(int hops, String named, boolean stays)
            throws Exception {
        HttpHeaders headers = fields("X-Forwarded-For", "192.0.2.7, 10.0.0.2", "CF-Connecting-IP", named);
        assertThat(client("x-forwarded-for", hops, headers)).isEqualTo("192.0.2.7");
        assertThat(headers.contains("cf-connecting-ip")).isEqualTo(stays);
        assertThat(conflicts.sum()).isEqualTo(stays ? 0 : 1);
    }

    private static HttpHeaders fields(String... namesAndValues) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return headers;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.7                              | 192.0.2.7",
                "6.6.6.6, 192.0.2.7                     | 192.0.2.7",
                "6.6.6.6, 192.0.2.7, 10.0.0.2, 10.9.9.9 | 192.0.2.7",
                // The peer's own address, or a trusted one, sent by the client.
                "6.6.6.6, 10.0.0.1, 192.0.2.7           | 192.0.2.7",
                "192.0.2.7:4711, 10.0.0.2:80            | 192.0.2.7",
                "2001:db8::7, fd00::2                   | 2001:db8::7",
                "[2001:db8::7]:4711, [fd00::2]:80       | 2001:db8::7",
                "::ffff:192.0.2.7, ::ffff:10.0.0.2      | 192.0.2.7",
                // Every entry is trusted: the client is one of the proxies' own network.
                "10.0.0.3, 10.0.0.2                     | 10.0.0.3",
                // Empty entries are none.
                "6.6.6.6,,192.0.2.7 ,,                  | 192.0.2.7",
                // The search ends at the proxy that writes another text than an address.
                "192.0.2.7, unknown                     | 10.0.0.1",
                "192.0.2.7, _hidden, 10.0.0.2           | 10.0.0.2",
                "192.0.2.7, unix:, 10.0.0.2             | 10.0.0.2",
                "192.0.2.7, 10.0.0.300, 10.0.0.2        | 10.0.0.2",
                "192.0.2.7, 010.0.0.3, 10.0.0.2         | 10.0.0.2",
                "192.0.2.7; 10.0.0.2                    | 10.0.0.1",
                "192.0.2.7 10.0.0.2                     | 10.0.0.1",
                "\"192.0.2.7\"                          | 10.0.0.1",
                // What the client sends before the address that a proxy appends can't matter.
                "\", garbage\\, for=x, [, 192.0.2.7     | 192.0.2.7",
            })
    void theLastUntrustedEntryIsTheClient(String list, String client) throws Exception {
        assertThat(client("x-forwarded-for", 0, "X-Forwarded-For", list)).isEqualTo(client);
    }

    @Test
    void linesAreReadFromTheLastToTheFirst() throws Exception {
        assertThat(client(
                        "x-forwarded-for",
                        0,
                        "X-Forwarded-For",
                        "6.6.6.6",
                        "X-Forwarded-For",
                        "192.0.2.7, 10.0.0.3",
                        "X-Forwarded-For",
                        "",
                        "X-Forwarded-For",
                        "10.0.0.2"))
                .isEqualTo("192.0.2.7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for=192.0.2.7                                            | 192.0.2.7",
                "For=192.0.2.7;Proto=https;by=10.0.0.2                    | 192.0.2.7",
                "proto=https; for=192.0.2.7 ;host=\"a,b;c\"               | 192.0.2.7",
                "for=6.6.6.6, for=192.0.2.7, for=10.0.0.2                 | 192.0.2.7",
                "for=\"[2001:db8::7]:4711\", for=\"[fd00::2]\"            | 2001:db8::7",
                "for=\"192.0.2.7:4711\";ext=\"a\\\"b,c\", for=10.0.0.2    | 192.0.2.7",
                "for=\"\\1\\9\\2.0.2.7\"                                  | 192.0.2.7",
                // Without the quotes that they need, as some proxies write them.
                "for=[2001:db8::7]:4711                                   | 2001:db8::7",
                "for=192.0.2.7:4711                                       | 192.0.2.7",
                ";;for=192.0.2.7;                                         | 192.0.2.7",
                "for=192.0.2.7, for=unknown                               | 10.0.0.1",
                "for=192.0.2.7, for=_hidden, for=10.0.0.2                 | 10.0.0.2",
                "for=192.0.2.7, proto=https, for=10.0.0.2                 | 10.0.0.2",
                "for=192.0.2.7, for=10.0.0.3;for=10.0.0.4, for=10.0.0.2   | 10.0.0.2",
                "for=192.0.2.7, for, for=10.0.0.2                         | 10.0.0.2",
                "for=192.0.2.7, for=, for=10.0.0.2                        | 10.0.0.2",
                "for=192.0.2.7, for =10.0.0.3, for=10.0.0.2               | 10.0.0.2",
                "for=192.0.2.7, for=\"10.0.0.3, for=10.0.0.2              | 10.0.0.2",
                "for=192.0.2.7, for=\"10.0.0.3\"x, for=10.0.0.2           | 10.0.0.2",
                "for=192.0.2.7, 10.0.0.3, for=10.0.0.2                    | 10.0.0.2",
                // Quoted strings that the client leaves open, or that the proxy would close.
                "for=\", for=192.0.2.7                                    | 192.0.2.7",
                "for=\"6.6.6.6, for=192.0.2.7, for=10.0.0.2               | 192.0.2.7",
                "for=6.6.6.6;x=\", for=\"[2001:db8::7]\"                  | 2001:db8::7",
                "x=\"\\, for=\"[2001:db8::7]\"                            | 2001:db8::7",
            })
    void theLastUntrustedElementOfForwardedIsTheClient(String list, String client) throws Exception {
        assertThat(client("forwarded", 0, "Forwarded", list)).isEqualTo(client);
    }

    @Test
    void aQuotedStringDoesNotReachIntoTheNextLine() throws Exception {
        assertThat(client(
                        "forwarded",
                        0,
                        "Forwarded",
                        "for=\"6.6.6.6",
                        "Forwarded",
                        "for=192.0.2.7",
                        "Forwarded",
                        "for=10.0.0.2"))
                .isEqualTo("192.0.2.7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | 6.6.6.6, 192.0.2.7                | 192.0.2.7",
                "2 | 6.6.6.6, 192.0.2.7, 203.0.113.1   | 192.0.2.7",
                "3 | 6.6.6.6, 192.0.2.7, , 1.1.1.1, ,2.2.2.2 | 192.0.2.7",
                // Trusted or not does not matter for a counted hop.
                "1 | 192.0.2.7, 10.0.0.2               | 10.0.0.2",
                // Too short, or without an address there: the client is unknown.
                "2 | 192.0.2.7                         | 10.0.0.1",
                "2 | unknown, 192.0.2.7                | 10.0.0.1",
                "32 | 192.0.2.7                        | 10.0.0.1",
            })
    void aNumberOfHopsIsCountedFromTheRight(int hops, String list, String client) throws Exception {
        assertThat(client("x-forwarded-for", hops, "X-Forwarded-For", list)).isEqualTo(client);
    }

    @Test
    void onlyTheConfiguredHeaderIsRead() throws Exception {
        String[] all = {"X-Forwarded-For", "192.0.2.1", "Forwarded", "for=192.0.2.2", "CF-Connecting-IP", "192.0.2.3"};
        assertThat(client("x-forwarded-for", 0, all)).isEqualTo("192.0.2.1");
        assertThat(client("forwarded", 0, all)).isEqualTo("192.0.2.2");
        assertThat(client("cf-connecting-ip", 0, all)).isEqualTo("192.0.2.3");
        assertThat(client("true-client-ip", 0, all)).isEqualTo(PEER);
        assertThat(unusable.sum()).isZero();
    }

    @Test
    void headersThatNameAnotherClientAreRemoved() throws Exception {
        HttpHeaders headers =
                fields("X-Forwarded-For", "192.0.2.7, 10.0.0.2", "Forwarded", "for=6.6.6.6", "X-Real-IP", "6.6.6.6");
        client("x-forwarded-for", 0, headers);
        assertThat(headers.names()).containsExactly("X-Forwarded-For");
        assertThat(conflicts.sum()).isEqualTo(2);
    }

    @Test
    void headersThatNameAClientWhereTheConfiguredOneNamesNoneAreRemoved() throws Exception {
        HttpHeaders headers =
                fields("Forwarded", "for=6.6.6.6, garbage", "X-Real-IP", "6.6.6.6", "X-Forwarded-For", "unknown");
        client("x-forwarded-for", 0, headers);
        assertThat(headers.names()).containsExactly("X-Forwarded-For");
    }

    @Test
    void headersThatNameTheSameClientOrNoneAreKept() throws Exception {
        HttpHeaders headers = fields(
                "X-Forwarded-For",
                "6.6.6.6, 192.0.2.7, 10.0.0.2",
                "Forwarded",
                "for=192.0.2.7",
                "X-Real-IP",
                "192.0.2.7");
        client("x-forwarded-for", 0, headers);
        assertThat(headers.size()).isEqualTo(3);
        HttpHeaders without = fields("X-Forwarded-For", "192.0.2.7", "Forwarded", "proto=https;host=a.test");
        client("x-forwarded-for", 0, without);
        assertThat(without.size()).isEqualTo(2);
        assertThat(conflicts.sum()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void realIpIsOneAddressWhateverTheHops(int hops) throws Exception {
        HttpHeaders headers = fields("X-Forwarded-For", "192.0.2.7", "X-Real-IP", "192.0.2.7");
        client("x-real-ip", hops, headers);
        assertThat(client("x-real-ip", hops, headers)).isEqualTo("192.0.2.7");
    }

    @Test
    void listsThatLeadToNoAddressAreCounted() throws Exception {
        client("x-forwarded-for", 0, "X-Forwarded-For", "192.0.2.7");
        client("x-forwarded-for", 0);
        assertThat(unusable.sum()).isZero();
        client("x-forwarded-for", 0, "X-Forwarded-For", "192.0.2.7, unknown, 10.0.0.2");
        client("x-forwarded-for", 3, "X-Forwarded-For", "192.0.2.7");
        assertThat(unusable.sum()).isEqualTo(2);
    }

    @Test
    void aBoundedNumberOfEntriesIsRead() throws Exception {
        String trusted = "10.0.0.2, ".repeat(ForwardedClient.MOST_ENTRIES - 1);
        assertThat(client("x-forwarded-for", 0, "X-Forwarded-For", "192.0.2.7, " + trusted + "10.0.0.4"))
                .isEqualTo("10.0.0.2");
        assertThat(client("x-forwarded-for", 0, "X-Forwarded-For", "6.6.6.6, ".repeat(5_000) + "192.0.2.7"))
                .isEqualTo("192.0.2.7");
    }
}
