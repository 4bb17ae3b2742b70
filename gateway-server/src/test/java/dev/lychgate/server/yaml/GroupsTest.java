package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values of routes and upstreams from groups and defaults. */
@Tag("slow")
class GroupsTest {
    private static final String LISTENERS = "listeners: [{ name: main, address: \"127.0.0.1:0\" }]\n";
    private static final String UPSTREAMS =
            "upstreams: { u: { endpoints: [\"http://localhost:1\"] }, v: { endpoints: [\"http://localhost:2\"] } }\n";

    private static GatewayConfig read(String text) throws FaultyConfigException {
        return new ConfigReader(name -> null)
                .read("gateway.yml", LISTENERS + UPSTREAMS + text)
                .config();
    }

    private static RouteConfig only(String text) throws FaultyConfigException {
        return read(text).routes().get(0);
    }

    private static java.util.List<String> faults(String text) {
        return FaultsTest.faults(LISTENERS + UPSTREAMS + text);
    }

    @Test
    void theNearestValueIsUsed() throws Exception {
        RouteConfig route = only("""
                defaults: { routes: { order: 1, timeouts: { response-head: 1s, connect: 1s, exchange: 1s } } }
                groups: { g: { order: 2, timeouts: { response-head: 2s, connect: 2s } } }
                routes: [{ id: r, group: g, upstream: u, timeouts: { response-head: 3s } }]
                """);

        assertThat(route.order()).isEqualTo(2);
        assertThat(route.timeouts().responseHead()).isEqualTo(Duration.ofSeconds(3));
        assertThat(route.timeouts().connect()).isEqualTo(Duration.ofSeconds(2));
        assertThat(route.timeouts().exchange()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void groupsEqualAConfigurationWithoutThem() throws Exception {
        assertThat(read("""
                        defaults:
                          routes: { timeouts: { response-head: 2s } }
                          upstreams: { pool: { connections: 8 }, timeouts: { connect: 1s } }
                        groups:
                          shop: { match: { host: shop.example.com, methods: [GET] }, filters: [decompress], upstream: u }
                        routes:
                          - { id: a, group: shop, match: { path: /a } }
                          - { id: b, group: shop, match: { path: /b, methods: [POST] }, upstream: v }
                          - { id: c, respond: {} }
                        """).toString())
                .isEqualTo(new ConfigReader(name -> null)
                        .read("gateway.yml", LISTENERS + """
                        upstreams:
                          u: { endpoints: ["http://localhost:1"], pool: { connections: 8 }, timeouts: { connect: 1s } }
                          v: { endpoints: ["http://localhost:2"], pool: { connections: 8 }, timeouts: { connect: 1s } }
                        routes:
                          - id: a
                            match: { host: shop.example.com, methods: [GET], path: /a }
                            filters: [decompress]
                            upstream: u
                            timeouts: { response-head: 2s }
                          - id: b
                            match: { host: shop.example.com, methods: [POST], path: /b }
                            filters: [decompress]
                            upstream: v
                            timeouts: { response-head: 2s }
                          - { id: c, respond: {}, timeouts: { response-head: 2s } }
                        """)
                        .config()
                        .toString());
    }

    @Test
    void filtersAreAppended() throws Exception {
        RouteConfig route = only("""
                defaults: { routes: { filters: [First] } }
                groups: { g: { filters: [decompress, Second] } }
                routes: [{ id: r, group: g, upstream: u, filters: [Third] }]
                """);

        assertThat(route.filters())
                .extracting(FilterConfig::name)
                .containsExactly("First", "decompress", "Second", "Third");
    }

    @Test
    void aRouteWithAnActionIgnoresThatOfItsGroup() throws Exception {
        RouteConfig route = only("""
                groups: { g: { upstream: u, order: 4 } }
                routes: [{ id: r, group: g, redirect: { location: /x } }, { id: s, group: g }]
                """);

        assertThat(route.action()).isInstanceOf(RouteAction.Redirect.class);
        assertThat(route.order()).isEqualTo(4);
    }

    @Test
    void aFaultOfAGroupIsReportedOnce() {
        assertThat(faults("""
                        groups: { g: { order: first, tiemouts: {} } }
                        routes: [{ id: a, group: g, upstream: u }, { id: b, group: g, upstream: u }]
                        """))
                .hasSize(2)
                .satisfiesExactly(
                        first -> assertThat(first)
                                .isEqualTo("gateway.yml:3:23: routes[0].order: first (expected: a whole number)"),
                        second -> assertThat(second)
                                .startsWith(
                                        "gateway.yml:3:30: routes[0].tiemouts: unknown key, did you mean 'timeouts'?"));
    }

    @Test
    void refusesMalformedGroups() {
        assertThat(faults("""
                        defaults: { routes: { id: x }, listeners: {} }
                        groups: { shop: { id: a }, unused: { order: 1 }, list: [] }
                        routes: [{ id: a, group: shpo, upstream: u }, { id: b, group: shop, upstream: u }]
                        """))
                .satisfiesExactly(
                        fault -> assertThat(fault)
                                .isEqualTo("gateway.yml:3:23: defaults.routes.id: not permitted in settings that apply "
                                        + "to several routes (expected: this key in each route itself)"),
                        fault -> assertThat(fault).startsWith("gateway.yml:3:32: defaults.listeners: unknown key"),
                        fault -> assertThat(fault)
                                .isEqualTo("gateway.yml:4:19: groups.shop.id: not permitted in settings that apply "
                                        + "to several routes (expected: this key in each route itself)"),
                        fault -> assertThat(fault)
                                .isEqualTo(
                                        "gateway.yml:4:56: groups.list: a list (expected: a mapping of keys of a route)"),
                        fault -> assertThat(fault)
                                .isEqualTo(
                                        "gateway.yml:5:26: routes[0].group: shpo (expected: a group; did you mean 'shop'?)"));
    }

    @Test
    void refusesAnUnknownGroup() {
        assertThat(faults("routes: [{ id: a, group: shop, upstream: u }]\n"))
                .containsExactly("gateway.yml:3:26: routes[0].group: shop (expected: one of the names in groups [])");
    }

    @Test
    void refusesAnUnusedGroup() {
        assertThat(faults("groups: { unused: { order: 1 } }\nroutes: []\n"))
                .containsExactly(
                        "gateway.yml:3:19: groups.unused: used by no route (expected: a route with group: unused)");
    }

    @Test
    void boundsTheExpansionOfGroups() {
        StringBuilder text = new StringBuilder("groups:\n  g:\n    match:\n      headers:\n");
        for (int i = 0; i < 2_000; i++) {
            text.append("        h").append(i).append(": x\n");
        }
        text.append("routes:\n");
        for (int i = 0; i < 2_000; i++) {
            text.append("  - { id: r").append(i).append(", group: g, match: { headers: { a: b } }, upstream: u }\n");
        }

        assertThat(faults(text.toString()))
                .anyMatch(fault -> fault.contains("too many keys, including those from groups and defaults"));
    }

    @Test
    void theDocumentedSampleHasTheDocumentedMeaning() throws Exception {
        String page = java.nio.file.Files.readString(java.nio.file.Path.of("../docs/configuration.md"));
        String section = page.substring(page.indexOf("## Groups and defaults"));
        String yaml = section.substring(section.indexOf("```yaml\n") + 8, section.indexOf("```\n\n- A value"));
        GatewayConfig config =
                new ConfigReader(name -> null).read("gateway.yml", yaml).config();

        assertThat(config.routes())
                .allSatisfy(route -> assertThat(route.filters()).hasSize(1))
                .extracting(route -> route.timeouts().responseHead())
                .containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(5));
        assertThat(Objects.requireNonNull(config.upstreams().get("shop")).pool().connections())
                .isEqualTo(256);
    }
}
