package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ConfigException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacesTest {
    private static final String YAML = """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            routes:
              - { id: a, match: { path: "/a" }, upstream: a.b }
              - { id: b, upstream: a }
            upstreams:
              a: { endpoints: ["http://127.0.0.1:9"] }
              a.b: { endpoints: ["http://127.0.0.1:9"], pool: { idle: 1s } }
            """;

    @ParameterizedTest
    @CsvSource({
        "routes[0].match.path, 3:29",
        "routes[1].match.path, 4:5",
        "routes[7].id, 3:3",
        "upstreams.a.b.pool.idle, 7:59",
        "upstreams.a.pool.idle, 6:6",
        "nothing.like.it, 1:1"
    })
    void findsTheDeepestPartInTheFile(String key, String place) throws FaultyConfigException {
        Places places = new ConfigReader(name -> null).read("g.yml", YAML).places();

        assertThat(places.fault(new ConfigException(key, "x", "y")))
                .hasToString("g.yml:" + place + ": " + key + ": x (expected: y)");
    }
}
