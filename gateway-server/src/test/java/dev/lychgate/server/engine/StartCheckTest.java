package dev.lychgate.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ConfigException;
import dev.lychgate.server.explain.Inquiry;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.LoadedConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartCheckTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ listeners: [{ name: a, address: 'localhost:1' }, { name: b, address: '127.0.0.1:1' }] }"
                        + "|g.yml:1:72: listeners[1].address: 127.0.0.1:1 (expected: a unique address; listener a already uses this address)",
                "{ listeners: [{ name: a, address: '[::1]:1' }], admin: { address: '[0:0::1]:1' } }"
                        + "|g.yml:1:67: admin.address: [0:0::1]:1 (expected: a unique address; listener a already uses this address)",
                "{ listeners: [{ name: a, address: 'localhost:1' }], admin: { address: 'localhost:2', token-file: none.token } }"
                        + "|g.yml:1:98: admin.token-file: none.token: there is no such file (expected: a file whose first line is the token)",
                "{ listeners: [{ name: a, address: 'localhost:1' }], admin: { address: 'localhost:2', tls: { chain: none.pem, key: none.key } } }"
                        + "|g.yml:1:100: admin.tls.chain: none.pem: there is no such file (expected: a file with certificates in PEM)",
                "{ listeners: [{ name: a, address: 'localhost:1' }], routes: [{ id: a, match: { path: 'regex:(' }, respond: {} }],"
                        + " admin: { address: 'localhost:1' } }"
                        + "|g.yml:1:133: admin.address: localhost:1 (expected: a unique address; listener a already uses this address)",
            })
    void refusesConfigurationsThatCanNotStart(String yaml, String fault) throws Exception {
        LoadedConfig loaded = load(yaml);

        assertThat(new DataPlaneEngine().faults(loaded.config()))
                .map(refused -> loaded.places().fault(refused).toString())
                .contains(fault);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{ listeners: [{ name: a, address: 'localhost:0' }, { name: b, address: 'localhost:0' }] }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], admin: { address: 'localhost:2' } }",
                "{ listeners: [{ name: a, address: '127.0.0.1:1' }], admin: { address: '127.0.0.2:1' } }",
                "{ listeners: [{ name: a, address: 'localhost:1' }], access-log: { file: 'a%d.log' } }",
            })
    void acceptsConfigurationsThatCanStart(String yaml) throws Exception {
        assertThat(new DataPlaneEngine().faults(load(yaml).config()))
                .extracting(ConfigException::getMessage)
                .isEmpty();
    }

    @Test
    void warnsOfUnusedUpstreams() throws Exception {
        String yaml = """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes:
                  - id: all
                    upstream: used
                    on-failure: { fallback: { upstream: other } }
                upstreams:
                  used: { endpoints: ["http://127.0.0.1:9"] }
                  other: { endpoints: ["http://127.0.0.1:9"] }
                  idle: { endpoints: ["http://127.0.0.1:9"] }
                """;
        assertThat(new DataPlaneEngine().warnings(load(yaml).config()))
                .containsExactly("upstreams.idle is not used: no route refers to it");
        assertThat(new DataPlaneEngine()
                        .warnings(
                                load(yaml + "filters: { directory: filters }\n").config()))
                .as("filters choose upstreams, too")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"auto, 1", "pass, 1", "refuse, 0", "strip-for-matching, 0"})
    void warnsOfAGuardBeforeAWiderRouteUnlessParametersAreHandled(String parameters, int warnings) throws Exception {
        String yaml = """
                listeners: [{ name: main, address: "127.0.0.1:0", paths: { parameters: %s } }]
                routes:
                  - { id: admin, match: { path: "/admin/**" }, respond: { status: 403 } }
                  - { id: all, match: { path: "/**" }, upstream: o }
                upstreams: { o: { endpoints: ["http://127.0.0.1:9"] } }
                """.formatted(parameters);
        assertThat(new DataPlaneEngine().warnings(load(yaml).config()))
                .hasSize(warnings)
                .allMatch(line -> line.startsWith("routes[0] (admin) guards /admin/**, but routes[1] (all) forwards"));
    }

    @Test
    void warnsOfATokenOverPlainHttp() throws Exception {
        String token = "token: 0123456789abcdef";
        String yaml = "{ listeners: [{ name: a, address: 'localhost:1' }], admin: { address: '%s', " + token + " } }";
        assertThat(new DataPlaneEngine()
                        .warnings(load(yaml.formatted("0.0.0.0:2")).config()))
                .singleElement()
                .asString()
                .startsWith("admin.address: 0.0.0.0:2 is not a loopback address; without admin.tls");
        assertThat(new DataPlaneEngine()
                        .warnings(load(yaml.formatted("127.0.0.1:2")).config()))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"nio, 1", "io_uring, 1", "epoll, 0", "auto, 0"})
    void warnsOfSplicingWithoutEpoll(String transport, int warnings) throws Exception {
        String yaml = "{ transport: %s, listeners: [{ name: a, address: 'localhost:1', socket: { splice: 1MiB } }] }";
        assertThat(new DataPlaneEngine()
                        .warnings(load(yaml.formatted(transport)).config()))
                .hasSize(warnings)
                .allMatch(warning -> warning.startsWith("listeners[0].socket.splice has no effect"));
    }

    @Test
    void warnsOfSplicingBesideTls() throws Exception {
        String yaml = "{ listeners: [{ name: a, address: 'localhost:1', socket: { splice: 1MiB } },"
                + " { name: b, address: 'localhost:2', socket: { splice: 1MiB }, tls: { certificates: [{ chain: c, key: k }] } }] }";
        assertThat(new DataPlaneEngine().warnings(load(yaml).config()))
                .singleElement()
                .asString()
                .startsWith("listeners[1].socket.splice has no effect");
    }

    @ParameterizedTest
    @CsvSource({
        "auto, The path has parameters that bypass a guarded route.",
        "refuse, The path has parameters.",
        "strip-for-matching, route admin responds with 403",
        "pass, route all responds with 200"
    })
    void explainsTheHandlingOfParametersBeforeAGuard(String parameters, String expected) throws Exception {
        String yaml = """
                listeners: [{ name: main, address: "127.0.0.1:0", paths: { parameters: %s } }]
                routes:
                  - { id: admin, match: { path: "/admin/**" }, respond: { status: 403 } }
                  - { id: all, match: { path: "/**" }, respond: { status: 200 } }
                """.formatted(parameters);
        Inquiry inquiry = Inquiry.parse("GET", "/admin;a=b/x");
        assertThat(ExplanationLines.of(new DataPlaneEngine()
                        .explain(
                                Path.of("gateway.yml"), name -> null, load(yaml).config(), inquiry)))
                .anyMatch(line -> line.contains(expected));
    }

    private static LoadedConfig load(String yaml) throws Exception {
        return new ConfigReader(name -> null).read("g.yml", yaml);
    }

    @ParameterizedTest
    @CsvSource({"'', 1", "', cache: {}', 0"})
    void warnsOfStaleResponsesUnderOverloadWithoutACache(String cache, int warnings) throws Exception {
        String yaml = """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                overload: { stale: { after: 3s } }
                routes: [{ id: all, upstream: api%s }]
                upstreams: { api: { endpoints: ["http://127.0.0.1:9000"] } }
                """;
        assertThat(new DataPlaneEngine().warnings(load(yaml.formatted(cache)).config()))
                .hasSize(warnings)
                .allMatch("overload.stale has no effect, because no route has a cache"::equals);
    }
}
