package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.http.FieldSyntax;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The written forms of settings, and the refusals of records: each has key, value and expectation. */
class SettingsTest {
    @ParameterizedTest
    @CsvSource({
        "0,0",
        "512B,512",
        "1KiB,1024",
        "16KiB,16384",
        "4MiB,4194304",
        "2GiB,2147483648",
        "1536B,1536",
        "1024GiB,1099511627776"
    })
    void aSizeIsReadAndWrittenAlike(String text, long bytes) {
        assertThat(ByteSize.parse(text)).isEqualTo(new ByteSize(bytes));
        assertThat(ByteSize.parse(ByteSize.parse(text).toString())).isEqualTo(new ByteSize(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "-1B", "1 KiB", "1kb", "1.5MiB", "KiB", "9999999999999B", "999999999999GiB"})
    void refusesMalformedSizes(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSizeBeyondAnIntSaturates() {
        assertThat(new ByteSize(1L << 40).asInt()).isEqualTo(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "0,PT0S,0",
        "250ms,PT0.25S,250ms",
        "4s,PT4S,4s",
        "60s,PT1M,1m",
        "10m,PT10M,10m",
        "24h,PT24H,24h",
        "7d,PT168H,168h"
    })
    void aDurationIsReadAndWritten(String text, Duration duration, String written) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
        assertThat(Durations.print(duration)).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "s", "1 s", "1w", "1.5s", "9999999999s", "36501d", "-36501d", "999999999d"})
    void refusesMalformedDurations(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.0.0.0/9, 10.127.0.1, true",
        "10.0.0.0/9, 10.128.0.1, false",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.8, false",
        "0.0.0.0/0, 203.0.113.1, true",
        "0.0.0.0/0, ::1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "::192.0.2.7, ::c000:207, true"
    })
    void aBlockHoldsTheAddressesOfItsPrefix(String block, String address, boolean held) throws Exception {
        assertThat(Cidr.parse(block).contains(InetAddress.getByName(address))).isEqualTo(held);
        assertThat(Cidr.parse(Cidr.parse(block).toString())).isEqualTo(Cidr.parse(block));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0/33",
                "10.0.0.1/8",
                "a.example/8",
                "[::1]/128",
                "10.0.0.0/-1",
                "::/129",
                "010.0.0.0/8",
                "10.0.0.00/8",
                "::ffff:10.0.0.01"
            })
    void refusesMalformedAddressBlocks(String text) {
        assertThatThrownBy(() -> Cidr.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http:foo", "https:foo", "http:10.0.0.1:9000", "http:///", "http:/", "http://"})
    void refusesEndpointsWithoutAHost(String url) {
        assertThatThrownBy(() -> EndpointConfig.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as http://10.0.0.1:9000");
    }

    @ParameterizedTest
    @CsvSource({
        "http://10.0.0.1:9000, 10.0.0.1:9000",
        "http://a.example, a.example:80",
        "http://[::1]:81/, [::1]:81",
        "http://A.Example:80, a.example:80",
        "http://my_host:81, my_host:81",
        "http://my_host.a_b, my_host.a_b:80",
        "http://[0:0:0:0:0:0:0:1]:81, [::1]:81",
        "http://[::ffff:127.0.0.1]:81, 127.0.0.1:81"
    })
    void anEndpointIsAUrlOfHostAndPort(String url, String authority) {
        assertThat(EndpointConfig.parse(url).authority()).isEqualTo(authority);
    }

    @Test
    void refusesAHostNameWithThousandsOfLabelsWithoutOverflowingTheStack() {
        assertThatThrownBy(() -> EndpointConfig.parse("http://" + "a_b.".repeat(20_000) + "c"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.1:9000",
                "ftp://a",
                "https://a/b",
                "http://a/b",
                "http://a?b",
                "http://u@a",
                "http://a:0",
                "http://a_b:0",
                "http://a_b:99999",
                "http://u@a_b",
                "http://0123456789012345678901234567890123456789012345678901234567890123.test",
                "http:// a"
            })
    void anythingElseIsRefused(String url) {
        assertThatThrownBy(() -> EndpointConfig.parse(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRefusalNamesKeyValueAndExpectation() {
        Duration second = Duration.ofSeconds(1);
        refused(() -> new PoolConfig(0, 1, second, second, 0), "connections: 0 (expected: 1 to 1000000)");
        refused(() -> new PoolConfig(1, 1, Duration.ZERO, second, 0), "idle: 0 (expected: > 0)");
        refused(
                () -> new ListenerTimeouts(second, second.negated(), second, second),
                "request-body: -1s (expected: > 0)");
        refused(
                () -> new UpstreamConfig("a b", List.of(), PoolConfig.DEFAULT, RouteTimeouts.UNSET),
                "upstreams: a b (expected: a name of");
        refused(() -> new RouteAction.Redirect(200, "/"), "status: 200 (expected: 301, 302");
        refused(() -> new RouteAction.Respond(200, Map.of("a", "b\r\nc"), null), "headers: ");
        refused(() -> new RouteAction.Respond(204, Map.of(), "text"), "body: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "a\r\nb", "\u00e4"})
    void theNameOfAFieldOrACookieIsAToken(String name) {
        String field = name + " (expected: the name of a header field)";
        String cookie = name + " (expected: the name of a cookie)";
        String secret = "0123456789abcdef";
        refused(() -> new HashSource.Header(name), "header: " + field);
        refused(() -> new HashSource.Cookie(name), "cookie: " + cookie);
        refused(() -> new RouteAction.Respond(200, Map.of(name, ""), null), "headers: " + field);
        refused(() -> new TraceConfig(name, secret, null, true), "header: " + field);
        refused(() -> deadlineIn(name), "deadline-header: " + field);
        refused(() -> PersistenceConfig.GatewayCookie.of(name, secret), "cookie: " + cookie);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "content-length", "X-Forwarded-For", "Cookie", "authorization"})
    void refusesAnIdentityHeaderThatHasAnotherMeaning(String name) {
        TlsConfig tls = TlsConfig.of(CertificateConfig.pem("chain.pem", "key.pem"));
        refused(
                () -> tls.withClients(ClientAuth.REQUIRED, "ca.pem", name),
                "identity-header: " + name + " (expected: a ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host", "expect", "Transfer-Encoding", "te"})
    void aFieldThatIsTheGatewaysOwnIsNotTakenForAnythingElse(String name) {
        assertThat(FieldSyntax.isSettable(name)).isFalse();
        refused(() -> new TraceConfig(name, null, null, true), "header: " + name);
        refused(() -> deadlineIn(name), "deadline-header: " + name);
    }

    @Test
    void filtersMayChangeIdentityFieldsButADeadlineHeaderMayNotReplaceThem() {
        assertThat(FieldSyntax.isSettable("X-Forwarded-For")).isTrue();
        refused(() -> deadlineIn("X-Forwarded-For"), "deadline-header: X-Forwarded-For");
    }

    private static RouteResilience deadlineIn(String field) {
        return new RouteResilience(null, null, 5, OnFailure.FAIL_FAST, field);
    }

    private static void refused(ThrowingCallable making, String message) {
        assertThatThrownBy(making).isInstanceOf(ConfigException.class).hasMessageStartingWith(message);
    }

    @Test
    void aRouteInheritsUnsetValuesFromItsUpstream() {
        RouteTimeouts route = new RouteTimeouts(Duration.ofSeconds(1), null, null, null, null);
        RouteTimeouts upstream = new RouteTimeouts(Duration.ofSeconds(2), Duration.ofSeconds(3), null, null, null);
        RouteTimeouts all = route.orElse(upstream).orElse(RouteTimeouts.DEFAULT);
        assertThat(all.acquire()).isEqualTo(Duration.ofSeconds(1));
        assertThat(all.connect()).isEqualTo(Duration.ofSeconds(3));
        assertThat(all.responseHead()).isEqualTo(RouteTimeouts.DEFAULT.responseHead());
    }
}
