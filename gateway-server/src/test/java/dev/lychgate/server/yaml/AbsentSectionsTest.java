package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.GatewayConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An absent section is not read, so its value must equal that of an empty section. */
class AbsentSectionsTest {
    private static final String FILE = """
            TOP
            listeners: [{ name: a, address: "localhost:1", LISTENER }]
            routes: [{ id: r, upstream: u, match: { path: "/a" }, retry: { RETRY }, access-log: { sample: 10% }, ROUTE }]
            upstreams: { u: { endpoints: ["http://localhost:1"], UPSTREAM } }
            """;

    private static GatewayConfig read(String place, String key) throws FaultyConfigException {
        String file = FILE.replace(place, key + ": {}");
        for (String other : new String[] {"TOP", "LISTENER", "RETRY", "ROUTE", "UPSTREAM"}) {
            file = file.replace(", " + other, "").replace(other, "");
        }
        return new ConfigReader(name -> null).read("gateway.yml", file).config();
    }

    private static GatewayConfig without() throws FaultyConfigException {
        return read("NOWHERE", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"drain", "access-log", "filters", "log", "metrics", "recorder"})
    void anAbsentSectionOfTheTopLevelEqualsAnEmptyOne(String key) throws FaultyConfigException {
        assertThat(read("TOP", key)).isEqualTo(without());
    }

    @ParameterizedTest
    @ValueSource(strings = {"filters: { guard", "filters: { trace", "access-log: { headers", "access-log: { redact"})
    void withinThose(String key) throws FaultyConfigException {
        String whole = FILE.replace("TOP", key + ": {} }")
                .replaceAll(", (LISTENER|ROUTE|UPSTREAM)", "")
                .replace("RETRY", "");
        assertThat(new ConfigReader(name -> null).read("gateway.yml", whole).config())
                .isEqualTo(without());
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "limits", "timeouts", "paths", "http2"})
    void anAbsentSectionOfAListenerEqualsAnEmptyOne(String key) throws FaultyConfigException {
        assertThat(read("LISTENER", key)).isEqualTo(without());
    }

    @ParameterizedTest
    @ValueSource(strings = {"timeouts", "rewrite"})
    void anAbsentSectionOfARouteEqualsAnEmptyOne(String key) throws FaultyConfigException {
        assertThat(read("ROUTE", key)).isEqualTo(without());
    }

    @Test
    void anAbsentMatchEqualsAnEmptyOne() throws FaultyConfigException {
        String file = FILE.replaceAll(", (LISTENER|ROUTE|UPSTREAM)", "").replaceAll("TOP|RETRY", "");
        String match = "match: { path: \"/a\" }";
        assertThat(new ConfigReader(name -> null)
                        .read("gateway.yml", file.replace(match, "match: {}"))
                        .config())
                .isEqualTo(new ConfigReader(name -> null)
                        .read("gateway.yml", file.replace(match + ",", ""))
                        .config());
    }

    @Test
    void theBackoffOfRetries() throws FaultyConfigException {
        assertThat(read("RETRY", "backoff")).isEqualTo(without());
    }

    @Test
    void theSessionsOfTls() throws FaultyConfigException {
        String tls = "tls: { certificates: [{ chain: c.pem, key: k.pem }], sessions";
        String file = FILE.replaceAll(", (ROUTE|UPSTREAM)", "").replaceAll("TOP|RETRY", "");
        assertThat(new ConfigReader(name -> null)
                        .read("gateway.yml", file.replace("LISTENER", tls + ": {} }"))
                        .config())
                .isEqualTo(new ConfigReader(name -> null)
                        .read("gateway.yml", file.replace("LISTENER", tls.replace(", sessions", " }")))
                        .config());
    }

    @ParameterizedTest
    @ValueSource(strings = {"dns", "pool", "timeouts", "balance", "health", "retry-budget"})
    void anAbsentSectionOfAnUpstreamEqualsAnEmptyOne(String key) throws FaultyConfigException {
        assertThat(read("UPSTREAM", key)).isEqualTo(without());
    }
}
