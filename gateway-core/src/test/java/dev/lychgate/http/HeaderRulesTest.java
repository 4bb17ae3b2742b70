package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.Cidr;
import dev.lychgate.config.ClientAddressConfig;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.RfcRows;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules about fields that need no connection: hop-by-hop, authorities, forwarding. */
class HeaderRulesTest {
    private static HttpHeaders fields(String... namesAndValues) {
        HttpHeaders fields = new DefaultHttpHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    static RfcRows removesFieldsOfOneConnection() {
        return RfcRows.under(
                        "9110, 7.6.1",
                        "Connection",
                        "Keep-Alive",
                        "Proxy-Connection",
                        "TE",
                        "Transfer-Encoding",
                        "Upgrade")
                .and("9110, 11.7.1", "Proxy-Authenticate")
                .and("9110, 11.7.2", "Proxy-Authorization");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void removesFieldsOfOneConnection(String section, String name) {
        HttpHeaders fields = fields(name, "x", "Kept", "1");
        HopByHopHeaders.strip(fields);
        assertThat(fields.names()).containsExactly("Kept");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"X-A", "close, x-a", "X-A , close", ",,x-a,", "keep-alive,\tX-A"})
    @Rfc("9110, 7.6.1")
    void nominatedFieldsGoToo(String nomination) {
        HttpHeaders fields = fields("Connection", nomination, "x-a", "1", "X-B", "2");
        HopByHopHeaders.strip(fields);
        assertThat(fields.names()).containsExactly("X-B");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Cookie", "Authorization", "Cache-Control", "X-A"})
    @Rfc("9110, 7.6.1")
    void whateverElseIsNominatedGoes(String name) {
        // RFC 9110, 7.6.1: an intermediary MUST remove it, even where nominating it was a mistake.
        HttpHeaders fields = fields("Connection", name, name, "1");
        HopByHopHeaders.strip(fields);
        assertThat(fields.isEmpty()).isTrue();
    }

    @Test
    @Rfc("9110, 7.6.1")
    void aNominationInASecondFieldCounts() {
        HttpHeaders fields = fields("Connection", "close", "Connection", "x-a", "X-A", "1");
        HopByHopHeaders.strip(fields);
        assertThat(fields.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Host", "Content-Length", "X-Forwarded-For", "Forwarded", "Via", "X-Request-Id", "X-Real-IP"})
    void connectionCannotRemoveRoutingFramingOrRecordFields(String name) {
        HttpHeaders fields = fields("Connection", name, name, "1");
        HopByHopHeaders.strip(fields);
        assertThat(fields.names()).containsExactly(name);
    }

    static RfcRows acceptsValidHosts() {
        return RfcRows.under("3986, 3.2.2", "a", "a.example", "A-b_c.~1", "[::1]")
                .and("3986, 3.2.3", "a:80", "a:", "10.0.0.1:65535", "[::1]:8080", "a:0");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void acceptsValidHosts(String section, String text) {
        assertThat(Authority.isValid(text)).isTrue();
    }

    static RfcRows rejectsMalformedHosts() {
        return RfcRows.under("9110, 4.2.1", "", ":80")
                .and("3986, 3.2.2", "a b", "[::1", "[a]", "[::1]x", "::1", "a\\b", "a\tb", "\u00e4", "\"a\"", "<a>")
                .and("9112, 3.2", "a,b")
                .and("9110, 7.2", "u@a", "a/b", "a?b", "a#b")
                .and("3986, 3.2.3", "a:65536", "a:8x", "a:-1", "a:99999999999")
                .and("3986, 2.1", "a%zz", "a%4", "a%")
                .and("9110, 7.2", "a%41b", "s%65cret.test", "%61:80");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void rejectsMalformedHosts(String section, String text) {
        assertThat(Authority.isValid(text)).isFalse();
    }

    private static RequestHead head(String... namesAndValues) {
        return new RequestHead(HttpMethod.GET, false, "/", null, "a.example", fields(namesAndValues));
    }

    private static ForwardingHeaders from(String address, boolean trusted, boolean forwarded) throws Exception {
        ForwardedClient proxies = new ForwardedClient(
                List.of(Cidr.parse(trusted ? address : "192.0.2.99")),
                ClientAddressConfig.DEFAULT,
                ClientRecords.NONE_NAMED,
                new LongAdder(),
                new LongAdder());
        InetSocketAddress peer = new InetSocketAddress(InetAddress.getByName(address), 50_000);
        return new ForwardingHeaders(peer, 8080, proxies, ClientRecords.NONE_NAMED, forwarded, new Via("me"), false);
    }

    @Test
    @Rfc("7239, 6.1")
    void anIpv6ClientIsNamedAsEachFieldWants() throws Exception {
        RequestHead head = head();
        from("2001:db8::1", false, true).apply(head, "id");
        assertThat(head.headers().get("x-forwarded-for")).isEqualTo("2001:db8::1");
        assertThat(head.headers().get("forwarded")).isEqualTo("for=\"[2001:db8::1]\";host=\"a.example\";proto=http");
    }

    @Test
    @Rfc("9110, 7.6.3")
    void severalForwardingFieldsBecomeOne() throws Exception {
        RequestHead head = head("X-Forwarded-For", "1.1.1.1", "X-Forwarded-For", "2.2.2.2", "Via", "1.0 x");
        from("10.0.0.1", true, false).apply(head, "id");
        assertThat(head.headers().getAll("x-forwarded-for")).containsExactly("1.1.1.1, 2.2.2.2, 10.0.0.1");
        assertThat(head.headers().getAll("via")).containsExactly("1.0 x, 1.1 me");
    }

    @ParameterizedTest
    @CsvSource({"abc-1_2.3:4/5+6=, true", "'a b', false", "'', false", "'a\"b', false", "'a\u00e4', false"})
    void aPlainRequestIdOfATrustedProxyIsAccepted(String given, boolean taken) throws Exception {
        RequestHead head = head("X-Request-Id", given);
        assertThat(from("10.0.0.1", true, false).requestId(head, "fresh")).isEqualTo(taken ? given : "fresh");
        assertThat(from("10.0.0.1", false, false).requestId(head, "fresh")).isEqualTo("fresh");
    }

    @Test
    void aLongRequestIdIsNotAccepted() throws Exception {
        ForwardingHeaders forwarding = from("10.0.0.1", true, false);
        assertThat(forwarding.requestId(head("X-Request-Id", "a".repeat(128)), "fresh"))
                .hasSize(128);
        assertThat(forwarding.requestId(head("X-Request-Id", "a".repeat(129)), "fresh"))
                .isEqualTo("fresh");
    }

    @Test
    @Rfc({"9110, 7.6", "9110, 7.6.3"})
    void aViaThatNamesUsIsALoop() throws Exception {
        assertThat(from("10.0.0.1", false, false).isLoop(head("Via", "1.1 x", "Via", "1.1 y, 1.1 me")))
                .isTrue();
        assertThat(from("10.0.0.1", false, false).isLoop(head("Via", "1.1 x"))).isFalse();
        assertThat(from("10.0.0.1", false, false).isLoop(head())).isFalse();
    }

    @Test
    @Rfc("9110, 5.5")
    void aValueIsSetWithoutTheBlanksAroundIt() {
        assertThat(FieldSyntax.settable("x", " \ta b\t ")).isEqualTo("a b");
        assertThat(FieldSyntax.settable("x", " ")).isEmpty();
    }

    @Test
    @Rfc("9110, 5.4")
    void aValueHasAtMost64KiB() {
        String longest = "x".repeat(64 * 1024);
        assertThat(FieldSyntax.settable("x", longest)).isEqualTo(longest);
        assertThatThrownBy(() -> FieldSyntax.settable("x", longest + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the value of header field x has 65537 characters (expected: at most 65536)");
    }

    @Test
    @Rfc("9110, 10.1.1")
    void filtersCannotSetExpect() {
        assertThatThrownBy(() -> FieldSyntax.settable("Expect", "100-continue"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reserved for the gateway");
    }
}
