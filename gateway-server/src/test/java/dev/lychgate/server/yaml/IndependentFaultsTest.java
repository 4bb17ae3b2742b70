package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A fault of one key adds no faults of other keys, and hides none. */
class IndependentFaultsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "path: /x | 7",
                "strip-prefix: 1 | 7",
            })
    void keysAfterRefusedForwardOfARouteStayKnown(String rewrite, int line) {
        assertThat(FaultsTest.faults("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        upstreams: { u: { endpoints: ["http://127.0.0.1:9"] } }
                        routes:
                          - id: a
                            match: { path: "/a/**" }
                            upstream: u
                            path: { forward: raw }
                            rewrite: { %s }
                            timeouts: { exchange: 3s }
                            filters: [{ request-id: {} }]
                            retry: { attempts: 3 }
                            bulkhead: { concurrent: 3 }
                            priority: 99
                            websocket: true
                            access-log: off
                            colour: red
                        """.formatted(rewrite)))
                .satisfiesExactly(
                        fault -> assertThat(fault)
                                .isEqualTo("gateway.yml:" + line
                                        + ":22: routes[0].path.forward: raw (expected: normal, because "
                                        + "rewrite changes the path)"),
                        fault -> assertThat(fault).startsWith("gateway.yml:13:15: routes[0].priority: 99"),
                        fault -> assertThat(fault).startsWith("gateway.yml:16:5: routes[0].colour: unknown key"));
    }

    @Test
    void keysOfOtherSectionsStayKnown() {
        assertThat(FaultsTest.faults("""
                        listeners:
                          - { client-address: { header: x-real-ip }, redirect-to-https: {}, tls: { certificates: [{ chain: a }] }, name: main, address: "127.0.0.1:0" }
                        upstreams:
                          u: { proxy-protocol: v2, protocol: h2, endpoints: ["http://127.0.0.1:9"], limit: { min: 9, max: 1 }, bulkhead: { concurrent: 3 } }
                        routes:
                          - { id: a, filters: [{ cors: { origins: ["*"], credentials: true, max-age: 5s } }], upstream: u }
                        """))
                .satisfiesExactly(
                        fault -> assertThat(fault)
                                .contains(":2:", "listeners[0].client-address: set without trusted-proxies"),
                        fault -> assertThat(fault)
                                .contains(":2:", "listeners[0].redirect-to-https: set together with tls"),
                        fault -> assertThat(fault).contains(":2:", "listeners[0].tls.certificates[0].key: missing"),
                        fault -> assertThat(fault)
                                .contains(":4:", "upstreams.u.proxy-protocol: set together with protocol h2"),
                        fault -> assertThat(fault).contains(":4:", "upstreams.u.limit.max: 1 "),
                        fault -> assertThat(fault).contains(":6:", "routes[0].filters[0].cors.origins"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "workers: Auto | gateway.yml:2:10: workers: Auto (expected: auto, or a whole number)",
                "workers: off | gateway.yml:2:10: workers: off (expected: auto, or a whole number)",
                "workers: 0 | gateway.yml:2:10: workers: 0 (expected: auto, or 1 to 1024)",
                "workers: 1025 | gateway.yml:2:10: workers: 1025 (expected: auto, or 1 to 1024)",
                "watch: true | gateway.yml:2:8: watch: true (expected: on or off)",
                "drain: { timeout: -1s } | gateway.yml:2:19: drain.timeout: -1s (expected: >= 0 (0 = none))",
                "metrics: { buckets: [] } | gateway.yml:2:21: metrics.buckets: [] (expected: 1 to 50 items)",
            })
    void namesTheAcceptedKeys(String line, String fault) {
        assertThat(FaultsTest.faults("listeners: [{ name: main, address: \"127.0.0.1:0\" }]\n" + line))
                .containsExactly(fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "websocket: \"true\" | websocket: true (expected: true or false without quotes)",
                "retry: { hedge: {} } | retry.hedge: a required key is missing (expected: exactly one of delay and percentile)",
                "id: 7 | id: 7 (expected: text; put it in quotes: \"7\")",
            })
    void namesTheAcceptedKeysOfARoute(String setting, String fault) {
        String id = setting.startsWith("id") ? "" : "id: a, ";
        assertThat(FaultsTest.faults("listeners: [{ name: main, address: \"127.0.0.1:0\" }]\nroutes: [{ " + id + setting
                        + ", respond: {} }]"))
                .singleElement()
                .asString()
                .endsWith(": routes[0]." + fault);
    }
}
