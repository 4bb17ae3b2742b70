package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HecConfig;
import dev.lychgate.config.LogConfig;
import dev.lychgate.config.LoggedHeaders;
import dev.lychgate.config.RedactConfig;
import dev.lychgate.config.RollConfig;
import dev.lychgate.config.RouteAccessLog;
import dev.lychgate.config.SampleRate;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LogReaderTest {
    private static final String LISTENER = "listeners: [{ name: main, address: \"127.0.0.1:0\" }]\n";

    private static GatewayConfig read(String yaml) throws FaultyConfigException {
        Environment environment = name -> name.equals("SPLUNK_TOKEN") ? "a-token" : null;
        return new ConfigReader(environment)
                .read("conf/gateway.yml", LISTENER + yaml)
                .config();
    }

    @Test
    void readsEveryKeyOfTheAccessLog() throws FaultyConfigException {
        AccessLogConfig log = read("""
                access-log:
                  format: combined
                  headers: { request: [X-Tenant], response: [content-type, x-cache] }
                  redact: { headers: [x-secret], query: [q] }
                  sample: 0.5%
                  hec:
                    url: "https://splunk.example:8088"
                    token: "${SPLUNK_TOKEN}"
                    index: web
                    source: gate
                    sourcetype: "lychgate:json"
                    host: edge-1
                    batch: 64KiB
                    interval: 500ms
                    queue: 1MiB
                    timeout: 2s
                    patience: 1m
                    gzip: false
                    ca: splunk.pem
                  roll: { size: 64MiB, keep: 14, total: 2GiB, compress: gzip }
                """).accessLog();

        assertThat(log)
                .isEqualTo(new AccessLogConfig(
                        AccessLogConfig.Format.COMBINED,
                        null,
                        65_536,
                        new LoggedHeaders(List.of("X-Tenant"), List.of("content-type", "x-cache")),
                        new RedactConfig(List.of("x-secret"), List.of("q")),
                        new SampleRate(0.005),
                        new HecConfig(
                                URI.create("https://splunk.example:8088"),
                                "a-token",
                                "web",
                                "gate",
                                "lychgate:json",
                                "edge-1",
                                ByteSize.ofKiB(64),
                                Duration.ofMillis(500),
                                ByteSize.ofMiB(1),
                                Duration.ofSeconds(2),
                                Duration.ofMinutes(1),
                                false,
                                "conf/splunk.pem"),
                        new RollConfig(ByteSize.ofMiB(64), 14, new ByteSize(2L << 30), RollConfig.Compress.GZIP)));
        assertThat(Objects.requireNonNull(log.hec()).endpoint())
                .hasToString("https://splunk.example:8088/services/collector/event");
    }

    @Test
    void absentKeysHaveTheirDefaults() throws FaultyConfigException {
        AccessLogConfig log = read("""
                access-log: { hec: { url: "http://127.0.0.1:8088/raw/path", token: a-token }, redact: { query: [] } }
                """).accessLog();

        HecConfig hec = HecConfig.of(URI.create("http://127.0.0.1:8088/raw/path"), "a-token");
        assertThat(log)
                .isEqualTo(AccessLogConfig.DEFAULT
                        .withHec(hec)
                        .withRedact(new RedactConfig(RedactConfig.USUAL_HEADERS, List.of())));
        assertThat(hec.endpoint()).isEqualTo(hec.url());
        assertThat(read("").accessLog()).isEqualTo(AccessLogConfig.DEFAULT);
        assertThat(read("").log()).isEqualTo(LogConfig.DEFAULT);
    }

    @Test
    void readsTheKeysOfARouteForTheAccessLog() throws FaultyConfigException {
        var routes = read("""
                routes:
                  - { id: a, match: { path: "/a" }, respond: {}, access-log: off }
                  - { id: b, match: { path: "/b" }, respond: {}, access-log: { sample: 10% } }
                  - { id: c, match: { path: "/c" }, respond: {}, access-log: { sample: 0 } }
                  - { id: d, match: { path: "/d" }, respond: {} }
                """).routes();

        assertThat(routes)
                .extracting(route -> route.accessLog())
                .containsExactly(
                        RouteAccessLog.OFF,
                        new RouteAccessLog.Sampled(new SampleRate(0.1)),
                        new RouteAccessLog.Sampled(new SampleRate(0)),
                        null);
    }

    @Test
    void readsTheApplicationLog() throws FaultyConfigException {
        assertThat(
                        read("log: { format: json, level: warn, loggers: { io.netty: error, dev.lychgate.filter.my one: debug } }")
                                .log())
                .isEqualTo(new LogConfig(
                        LogConfig.Format.JSON,
                        LogConfig.Level.WARN,
                        Map.of(
                                "io.netty",
                                LogConfig.Level.ERROR,
                                "dev.lychgate.filter.my one",
                                LogConfig.Level.DEBUG)));
    }

    @Test
    void reportsFaultsWithoutTheToken() {
        assertThat(FaultsTest.faults(LISTENER + """
                routes:
                  - { id: a, respond: {}, access-log: none }
                access-log:
                  headers: { request: ["a b"], response: [x, X] }
                  redact: { headers: ["a:b"], query: ["a b"] }
                  sample: 101%
                  hec: { url: "https://user:hidden@splunk.example", token: "hid den", index: "a b", batch: 1B, queue: 1KiB, interval: 2m }
                log: { format: xml, level: loud, loggers: { "a..b": info } }
                """))
                .containsExactly(
                        "gateway.yml:3:39: routes[0].access-log: none (expected: off, or a mapping)",
                        "gateway.yml:5:24: access-log.headers.request[0]: a b (expected: the name of a header field)",
                        "gateway.yml:5:46: access-log.headers.response[1]: X (expected: each name once)",
                        "gateway.yml:6:23: access-log.redact.headers[0]: a:b (expected: the name of a header field)",
                        "gateway.yml:6:39: access-log.redact.query[0]: a b (expected: the name of a parameter, decoded, in ASCII without blanks)",
                        "gateway.yml:7:11: access-log.sample: 101% (expected: 0% to 100%, such as 10% or 0.1%)",
                        "gateway.yml:8:15: access-log.hec.url: *** (expected: http://HOST[:PORT] or https://HOST[:PORT], optionally with a path, but without the token, which belongs in the key token)",
                        "gateway.yml:8:60: access-log.hec.token: *** (expected: a token: 1 to 256 characters of ASCII without blanks)",
                        "gateway.yml:8:78: access-log.hec.index: a b (expected: 1 to 128 characters of ASCII without blanks)",
                        "gateway.yml:8:92: access-log.hec.batch: 1B (expected: 1KiB to 16MiB)",
                        "gateway.yml:8:103: access-log.hec.queue: 1KiB (expected: at least batch)",
                        "gateway.yml:8:119: access-log.hec.interval: 2m (expected: below 1m)",
                        "gateway.yml:9:16: log.format: xml (expected: text or json)",
                        "gateway.yml:9:28: log.level: loud (expected: off, error, warn, info, debug, trace)",
                        "gateway.yml:9:53: log.loggers.a..b: a..b (expected: names joined by dots, such as dev.lychgate.exchange, with at most 200 characters)");
    }
}
