package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.Lychgate;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Operators with changes that are limited to the routes of their team. */
class LabelledOperatorsTest {
    private static final String ORDERS = "orders-orders-orders-orders";
    private static final String BOTH = "both-both-both-both-both";
    private static final String ALL = "all-all-all-all-all";

    private static final String YAML = """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            routes:
              - { id: orders, match: { path: "/orders/**" }, labels: { team: orders, tier: gold }, respond: { status: 200 },
                  filters: [{ set-response-header: { name: x-own, value: "1" } }] }
              - { id: cart, match: { path: "/cart/**" }, labels: { team: orders }, respond: { status: 200 } }
              - { id: search, match: { path: "/search/**" }, labels: { team: search, owner: orders }, respond: { status: 200 },
                  filters: [{ set-response-header: { name: x-own, value: "1" } }] }
              - { id: plain, match: { path: "/**" }, respond: { status: 200 } }
            upstreams: { orders: { endpoints: ["http://127.0.0.1:9"] } }
            faults: { enabled: true }
            access-log: { format: off }
            admin:
              address: "127.0.0.1:0"
              operators:
                - { name: orders, roles: [operator], token: "%s", labels: { team: %s } }
                - { name: both, roles: [operator], token: "%s", labels: { team: orders, tier: gold }, routes: ["pla*"] }
                - { name: all, roles: [operator], token: "%s" }
            """;

    /** Changes of the admin API that a label never permits, because they do not name routes. */
    private static final Map<String, List<String>> WITHOUT_ROUTES = Map.ofEntries(
            Map.entry("/reload", List.of("/reload", "/reload?dry-run=true", "/reload?steps=1%25&hold=1s")),
            Map.entry(
                    "/rollback",
                    List.of("/rollback?generation=1", "/rollback?entry=1", "/rollback?entry=1&route=orders")),
            Map.entry("/rollout", List.of("/rollout?action=abort", "/rollout?action=promote&route=orders")),
            Map.entry(
                    "/upstreams/endpoint",
                    List.of("/upstreams/endpoint?upstream=orders&endpoint=127.0.0.1:9&state=disabled&route=orders")),
            Map.entry("/breakers", List.of("/breakers?upstream=orders&state=force-open&route=orders")),
            Map.entry(
                    "/bans",
                    List.of(
                            "/bans?address=192.0.2.1&for=1h&reason=x",
                            "/bans?address=192.0.2.1&for=1h&reason=x&route=orders")),
            Map.entry("/bans/end", List.of("/bans/end?address=192.0.2.1", "/bans/end?address=192.0.2.1&route=orders")),
            Map.entry("/cache/purge", List.of("/cache/purge?by=all", "/cache/purge?by=all&route=orders")),
            Map.entry("/mirrors/reset", List.of("/mirrors/reset", "/mirrors/reset?route=orders")),
            Map.entry("/log", List.of("/log?logger=dev.lychgate.labels&level=debug&route=orders")),
            Map.entry("/upgrade", List.of("/upgrade", "/upgrade?route=orders")),
            Map.entry("/drain", List.of("/drain?ready=false", "/drain?exit=true&route=orders")));

    private static final String FILTER = "/filters?phase=outbound&name=set-response-header%20x-own&state=disabled";
    private static final String FAULT = "/faults?name=f&for=1m&abort=503";

    private static Lychgate start(String team) throws Exception {
        return Lychgate.start(new ConfigReader(name -> null)
                .read("test.yml", YAML.formatted(ORDERS, team, BOTH, ALL))
                .config());
    }

    private static RawMessage send(Lychgate gateway, String token, String method, String target) throws Exception {
        try (RawClient client =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.adminPort()))) {
            return client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                            + "\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    private static int change(Lychgate gateway, String token, String target) throws Exception {
        return send(gateway, token, "POST", target).status();
    }

    @Test
    void everyChangeOutsideOfTheLabelsIsDenied() throws Exception {
        try (Lychgate gateway = start("orders")) {
            Set<String> known = new TreeSet<>(WITHOUT_ROUTES.keySet());
            known.addAll(List.of("/filters", "/faults", "/faults/stop"));
            assertThat(changes(gateway)).as("every change has a case below").isEqualTo(known);

            for (List<String> targets : WITHOUT_ROUTES.values()) {
                for (String target : targets) {
                    assertThat(change(gateway, ORDERS, target)).as(target).isEqualTo(403);
                }
            }
            assertThat(change(gateway, ALL, FAULT.replace("name=f", "name=of-all")))
                    .isEqualTo(200);
            for (String which : List.of(
                    "",
                    "&route=search",
                    "&route=plain",
                    "&route=unknown",
                    "&route=",
                    "&route=orders&route=search",
                    "&route=%73earch",
                    "&Route=orders")) {
                assertThat(change(gateway, ORDERS, FILTER + which)).as(which).isEqualTo(403);
                assertThat(change(gateway, ORDERS, FAULT + which)).as(which).isEqualTo(403);
                assertThat(change(gateway, ORDERS, "/faults/stop?name=of-all" + which))
                        .as(which)
                        .isEqualTo(403);
            }
            assertThat(change(gateway, ORDERS, "/faults/stop?name=of-all&route=orders"))
                    .as("a fault of all routes is not a fault of this one")
                    .isEqualTo(404);
            assertThat(send(gateway, ALL, "GET", "/filters").body())
                    .contains("\"disabled\":false")
                    .doesNotContain("\"disabled_on\"");
        }
    }

    private static Set<String> changes(Lychgate gateway) throws Exception {
        return Pattern.compile("\"POST (/[a-z/]*)")
                .matcher(send(gateway, ALL, "GET", "/").body())
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void routesWithAllLabelsAreChanged() throws Exception {
        try (Lychgate gateway = start("orders")) {
            assertThat(send(gateway, ORDERS, "GET", "/routes").body())
                    .contains("\"labels\":{\"team\":\"orders\",\"tier\":\"gold\"}");
            assertThat(change(gateway, ORDERS, FILTER + "&route=orders")).isEqualTo(200);
            assertThat(send(gateway, ALL, "GET", "/filters").body()).contains("\"disabled_on\":[\"orders\"]");
            assertThat(change(gateway, ORDERS, FAULT + "&route=orders&route=cart"))
                    .isEqualTo(200);
            assertThat(change(gateway, ORDERS, "/faults/stop?name=f&route=orders&route=cart"))
                    .isEqualTo(200);

            assertThat(change(gateway, BOTH, FAULT + "&route=orders&route=plain"))
                    .as("labels or a prefix")
                    .isEqualTo(200);
            RawMessage denied = send(gateway, BOTH, "POST", FAULT.replace("=f", "=g") + "&route=cart");
            assertThat(denied.status()).as("one label is missing").isEqualTo(403);
            assertThat(denied.body())
                    .contains("limited to the routes pla*, and routes with the labels team=orders and tier=gold");
        }
    }

    @Test
    void theLabelsOfAnOperatorAreShown() throws Exception {
        try (Lychgate gateway = start("orders")) {
            assertThat(send(gateway, ORDERS, "GET", "/operator").body())
                    .contains("\"limits\":{}", "\"labels\":{\"team\":\"orders\"}");
            assertThat(send(gateway, ALL, "GET", "/operator").body()).doesNotContain("labels");
            assertThat(send(gateway, ORDERS, "POST", FAULT + "&route=search").body())
                    .contains("limited to the routes with the label team=orders");
        }
    }

    @Test
    void credentialsInPredicatesOfFaultsAreMasked() throws Exception {
        try (Lychgate gateway = start("orders")) {
            assertThat(change(gateway, ALL, FAULT + "&header=authorization:swordfish&header=x-a:seen"))
                    .isEqualTo(200);
            assertThat(send(gateway, ORDERS, "GET", "/faults").body())
                    .contains("\"authorization\":\"***\"", "\"x-a\":\"seen\"")
                    .doesNotContain("swordfish");
            assertThat(send(gateway, ORDERS, "GET", "/routes").body())
                    .contains("f: until ")
                    .doesNotContain("swordfish");
        }
    }

    @Test
    void theLabelsOfTheGenerationInForceDecide() throws Exception {
        try (Lychgate gateway = start("search")) {
            assertThat(change(gateway, ORDERS, FAULT + "&route=orders")).isEqualTo(403);
            assertThat(change(gateway, ORDERS, FAULT + "&route=search")).isEqualTo(200);
            gateway.apply(new ConfigReader(name -> null)
                    .read(
                            "test.yml",
                            YAML.formatted(ORDERS, "search", BOTH, ALL)
                                    .replace("team: search, owner: orders", "owner: orders"))
                    .config());
            assertThat(change(gateway, ORDERS, "/faults/stop?name=f&route=search"))
                    .isEqualTo(403);
        }
    }
}
