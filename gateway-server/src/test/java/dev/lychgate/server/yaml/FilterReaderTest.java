package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.TraceConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Syntax of filters in the file. */
class FilterReaderTest {
    private static final String HEAD = """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            """;

    @Test
    void readsBuiltInFiltersWithTheirSettingsAndBareNames() throws Exception {
        GatewayConfig config = read("""
                filters:
                  global: [{ request-id: {} }, request-id, mine]
                routes:
                  - id: api
                    filters:
                      - size-limit: { limit: 2MiB, order: -1 }
                      - cors: { origins: "https://a.example", headers: [a, b], credentials: true, max-age: 5m }
                      - respond: { status: 404, headers: { x-a: "1" } }
                    respond: {}
                """);

        assertThat(config.filters().global())
                .containsExactly(FilterConfig.of("request-id"), FilterConfig.of("request-id"), FilterConfig.of("mine"));
        assertThat(config.routes().get(0).filters())
                .containsExactly(
                        new FilterConfig("size-limit", Map.of("limit", ByteSize.ofMiB(2), "order", -1)),
                        new FilterConfig(
                                "cors",
                                Map.of(
                                        "origins", List.of("https://a.example"),
                                        "headers", List.of("a", "b"),
                                        "credentials", true,
                                        "max-age", Duration.ofMinutes(5))),
                        new FilterConfig("respond", Map.of("status", 404, "headers", Map.of("x-a", "1"))));
    }

    @Test
    void keepsTheSettingsOfOtherFiltersAsTheyAre() throws Exception {
        GatewayConfig config =
                new ConfigReader(name -> "5").read("gateway.yml", HEAD + """
                        filters:
                          global:
                            - Quota: { size: 50, most: 5000000000, share: 0.5, on: true, "yes": "1", env: "${N}" }
                            - Quota: { keys: [a, 2, { b: c }] }
                            - Quota: {}
                        """).config();
        assertThat(config.filters().global())
                .containsExactly(
                        new FilterConfig(
                                "Quota",
                                Map.of(
                                        "size",
                                        50,
                                        "most",
                                        5_000_000_000L,
                                        "share",
                                        "0.5",
                                        "on",
                                        true,
                                        "yes",
                                        "1",
                                        "env",
                                        "5")),
                        new FilterConfig("Quota", Map.of("keys", List.of("a", 2, Map.of("b", "c")))),
                        FilterConfig.of("Quota"));
        assertThat(FaultsTest.faults(HEAD + "filters: { global: [{ Quota: }, { Quota: 5 }, { Quota: { a: } }] }\n"))
                .containsExactly(
                        "gateway.yml:2:29: filters.global[0].Quota: no value (expected: a mapping of settings)",
                        "gateway.yml:2:42: filters.global[1].Quota: 5 (expected: a mapping of settings)",
                        "gateway.yml:2:60: filters.global[2].Quota.a: no value (expected: a value, or the key left out)");
    }

    @Test
    void acceptsANameOrAMappingOfANameInAList() {
        String expected = " (expected: the name of a filter, or a mapping of one name to its settings)";
        assertThat(FaultsTest.faults(HEAD + "filters: { global: [5, [Quota], true, null, { a: {}, b: {} }] }\n"))
                .containsExactly(
                        "gateway.yml:2:21: filters.global[0]: 5" + expected,
                        "gateway.yml:2:24: filters.global[1]: a list" + expected,
                        "gateway.yml:2:33: filters.global[2]: true" + expected,
                        "gateway.yml:2:39: filters.global[3]: null" + expected,
                        "gateway.yml:2:45: filters.global[4]: 2 keys (expected: a mapping of one key: a filter's name)");
    }

    @Test
    void readsTheGuard() throws Exception {
        assertThat(read("filters: { guard: { action: warn, after: 50ms, strikes: 9 } }")
                        .filters()
                        .guard())
                .isEqualTo(new FilterGuard(FilterGuard.Action.WARN, Duration.ofMillis(50), 9));
        assertThat(read("filters: {}").filters().guard()).isEqualTo(FilterGuard.DEFAULT);
    }

    @Test
    void readsTheTraceAndTheBuildTimeout() throws Exception {
        FiltersConfig filters = read("""
                filters:
                  build-timeout: 2m
                  trace:
                    header: x-follow
                    secret: "0123456789abcdef"
                    match: { host: a.example, path: "/a/**", methods: [GET], clients: ["10.0.0.0/8"] }
                    respond: false
                """).filters();

        assertThat(filters.buildTimeout()).isEqualTo(Duration.ofMinutes(2));
        assertThat(filters.trace())
                .isEqualTo(new TraceConfig(
                        "x-follow",
                        "0123456789abcdef",
                        new MatchConfig(
                                List.of("a.example"),
                                "/a/**",
                                List.of("GET"),
                                Map.of(),
                                Map.of(),
                                List.of(Cidr.parse("10.0.0.0/8")),
                                null),
                        false));
        assertThat(read("filters: {}").filters()).isEqualTo(FiltersConfig.DEFAULT);
        assertThat(read("filters: { trace: { respond: true } }").filters().trace())
                .isEqualTo(TraceConfig.OFF);
        assertThat(read("filters: { trace: { match: {} } }").filters().trace().match())
                .isEqualTo(MatchConfig.ANY);
    }

    @Test
    void reportsFaultsOfATraceWithoutItsSecret() {
        assertThat(FaultsTest.faults(HEAD + """
                        filters:
                          build-timeout: 11m
                          trace:
                            header: Host
                            secret: 12345678901234567890
                            match: { path: "/**", weight: { group: a, share: 1 } }
                        """))
                .containsExactly(
                        "gateway.yml:3:18: filters.build-timeout: 11m (expected: 1s to 10m)",
                        "gateway.yml:5:13: filters.trace.header: Host (expected: a field that does not concern "
                                + "framing, routing or the connection)",
                        "gateway.yml:6:13: filters.trace.secret: *** (expected: text; put it in quotes)",
                        "gateway.yml:7:27: filters.trace.match.weight: unknown key (expected: one of host, path, methods, headers, query, cookies, clients, scheme, listeners)");
        for (String secret : List.of("short-and-secret", "has a blank in its middle", "ends-in-a-new-line-\\n")) {
            String shorter = secret.startsWith("short") ? secret.substring(1) : secret;
            assertThat(FaultsTest.faults(
                            HEAD + "filters: { build-timeout: 1s, trace: { secret: \"" + shorter + "\" } }\n"))
                    .containsExactly(
                            "gateway.yml:2:48: filters.trace.secret: *** (expected: 16 to 256 characters of ASCII without blanks)");
        }
    }

    @Test
    void resolvesTheDirectoryBesideTheFile(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("gateway.yml"), HEAD + "filters: { directory: mine }\n");
        assertThat(new ConfigReader(name -> null).read(file).config().filters().directory())
                .isEqualTo(directory.resolve("mine").toString());
        assertThat(read("filters: { directory: /abs }").filters().directory()).isEqualTo("/abs");
    }

    @Test
    void reportsTheFaultAndThePlaceOfEachFilter() {
        assertThat(FaultsTest.faults(HEAD + """
                        filters:
                          global:
                            - set-requst-header: { name: a, value: b }
                            - set-request-header: { nam: a, value: b }
                            - set-request-header: { name: Host, value: "b\\n" }
                            - set-path
                            - { request-id: {}, cors: {} }
                            - size-limit: { limit: 10 }
                            - redirect: { status: 300, location: / }
                            - cors: { origins: [https://a.example, b.example] }
                            - rewrite-path: { regex: "(", replacement: / }
                            - rewrite-path: { replacement: / }
                        """))
                .containsExactly(
                        "gateway.yml:5:27: filters.global[1].set-request-header.name: missing (expected: the name of a header field; fields of framing and connection, such as Content-Length, are not permitted)",
                        "gateway.yml:5:29: filters.global[1].set-request-header.nam: unknown key, did you mean 'name'? (expected: one of name, value, order)",
                        "gateway.yml:6:35: filters.global[2].set-request-header.name: Host (expected: a field that "
                                + "does not concern framing, routing or the connection)",
                        "gateway.yml:7:7: filters.global[3]: set-path (expected: a mapping with the settings of the"
                                + " filter; required: path)",
                        "gateway.yml:8:7: filters.global[4]: 2 keys (expected: a mapping of one key: a filter's name)",
                        "gateway.yml:9:28: filters.global[5].size-limit.limit: 10 (expected: a size such as 512B, 16KiB, 4MiB or 2GiB; a bare number has no unit)",
                        "gateway.yml:10:27: filters.global[6].redirect.status: 300 (expected: 301, 302, 303, 307 or 308)",
                        "gateway.yml:11:44: filters.global[7].cors.origins[1]: b.example (expected: * alone, or origins such as https://app.example.com and https://*.example.com)",
                        "gateway.yml:12:30: filters.global[8].rewrite-path.regex: ( (expected: an RE2 expression; missing closing ))",
                        "gateway.yml:13:21: filters.global[9].rewrite-path.prefix: missing (expected: exactly one of regex and prefix)");
    }

    private static GatewayConfig read(String yaml) throws FaultyConfigException {
        return new ConfigReader(name -> null).read("gateway.yml", HEAD + yaml).config();
    }

    @Test
    void refusesOriginsForCallOutsWithTheirPlace() {
        assertThat(
                        FaultsTest.faults(
                                HEAD
                                        + "filters: { call-outs: [\"https://*.a.test\", \"http://10.0.0.1\", { url: \"http://10.0.0.1\" }, \"https://b.test/c\", {}] }\n"))
                .satisfiesExactly(
                        fault -> assertThat(fault)
                                .startsWith(
                                        "gateway.yml:2:24: filters.call-outs[0]: https://*.a.test (expected: an origin")
                                .endsWith("without a path, a final dot or a wildcard)"),
                        fault -> assertThat(fault)
                                .startsWith(
                                        "gateway.yml:2:44: filters.call-outs[1]: http://10.0.0.1 (expected: a public address"),
                        fault -> assertThat(fault)
                                .startsWith("gateway.yml:2:70: filters.call-outs[2].url: http://10.0.0.1:80")
                                .endsWith("(expected: a public address, or addresses: any)"),
                        fault -> assertThat(fault)
                                .startsWith("gateway.yml:2:91: filters.call-outs[3]: https://b.test/c"),
                        fault -> assertThat(fault)
                                .startsWith(
                                        "gateway.yml:2:111: filters.call-outs[4].url: missing (expected: an origin"));
        assertThat(FaultsTest.faults(
                        HEAD + "filters: { call-outs: [\"https://a.test\", { url: \"https://A.test:443\" }] }\n"))
                .singleElement()
                .satisfies(fault -> assertThat(fault)
                        .startsWith("gateway.yml:2:")
                        .contains("filters.call-outs: [https://a.test:443, https://a.test:443]")
                        .endsWith("(expected: each origin only once)"));
        assertThat(FaultsTest.faults(
                        HEAD + "upstreams: { \"https://a.test:443\": { endpoints: [\"http://127.0.0.1:9\"] } }\n"))
                .singleElement()
                .satisfies(
                        fault -> assertThat(fault).startsWith("gateway.yml:2:").contains("https://a.test:443"));
    }
}
