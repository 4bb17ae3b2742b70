package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults that operators inject on the admin listener and by the command. */
@Tag("slow")
class FaultsOfOperatorsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ALL = "all-all-all-all-all";
    private static final String SHOP = "shop-shop-shop-shop";
    private static final String VIEWER = "viewer-viewer-viewer";

    @TempDir
    Path home = Path.of("");

    private ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("origin")));
    private FileGateway<Lychgate> files;

    @BeforeEach
    void start() throws Exception {
        configure("faults: { enabled: true }");
        files = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
    }

    @AfterEach
    void end() {
        files.gateway().close();
        files.close();
        origin.close();
    }

    private void configure(String faults) throws Exception {
        Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                admin:
                  address: "127.0.0.1:0"
                  operators:
                    - { name: all, roles: [operator, recorder], token: %s }
                    - { name: shop, roles: [operator], routes: ["shop-*"], token: %s }
                    - { name: viewer, token: %s }
                routes:
                  - { id: shop-a, match: { path: "/shop/**" }, upstream: origin }
                  - { id: api, match: { path: "/api/**" }, upstream: origin }
                  - { id: rest, match: { path: "/**" }, upstream: origin }
                upstreams: { origin: { endpoints: ["http://127.0.0.1:%d"] } }
                access-log: { file: "%s" }
                %s
                """.formatted(
                        ALL, SHOP, VIEWER, origin.port(), home.resolve("access.log"), faults));
    }

    private RawMessage ask(String token, String method, String target) throws Exception {
        InetSocketAddress admin = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files.gateway().adminPort());
        try (RawClient client = RawClient.connect(admin)) {
            return client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                            + "\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    private JsonNode faults() throws Exception {
        return JSON.readTree(ask(VIEWER, "GET", "/faults").body());
    }

    private RawMessage get(String target) throws Exception {
        InetSocketAddress main = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files.gateway().port("main"));
        try (RawClient client = RawClient.connect(main)) {
            return client.get(target);
        }
    }

    private String run(String... args) {
        StringWriter out = new StringWriter();
        run(out, args);
        return out.toString();
    }

    private int run(StringWriter out, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--admin", "127.0.0.1:" + files.gateway().adminPort()));
        return LychgateCommand.execute(
                new Surroundings(
                        new DataPlaneEngine(),
                        Map.of("LYCHGATE_ADMIN_TOKEN", ALL)::get,
                        new PrintWriter(out),
                        new PrintWriter(out),
                        thread -> {},
                        Signals.NONE),
                all.toArray(String[]::new));
    }

    @Test
    void everyCommandOfThePageSucceeds() throws Exception {
        List<String> commands = Snippets.shell("faults.md");
        assertThat(commands).hasSize(4);
        for (String command : commands) {
            StringWriter out = new StringWriter();
            String[] args = command.replaceFirst("^lychgate ", "").split(" ", -1);
            assertThat(run(out, args)).as(command + "\n" + out).isZero();
        }
        // The page stops one of its two faults.
        assertThat(faults().path("faults")).hasSize(1);
    }

    @Test
    void anInjectedFaultIsListedTakesEffectAndCanBeStopped() throws Exception {
        RawMessage injected =
                ask(ALL, "POST", "/faults?name=f&route=rest&abort=503&share=100%25&header=x-a:*&delay=1ms&for=10m");
        assertThat(injected.status()).as(injected.body()).isEqualTo(200);
        assertThat(faults().at("/faults/0/name").asText()).isEqualTo("f");
        assertThat(faults().at("/faults/0/source").asText()).isEqualTo("operator");
        assertThat(faults().at("/faults/0/started_by").asText()).isEqualTo("all");
        assertThat(get("/").status()).isEqualTo(200);

        assertThat(ask(ALL, "POST", "/faults/stop?name=f").status()).isEqualTo(200);
        assertThat(faults().path("faults")).isEmpty();
        assertThat(ask(ALL, "POST", "/faults/stop?name=f").status()).isEqualTo(404);
    }

    @Test
    void anAffectedExchangeIsMarkedInTheAccessLogTheRecordAndTheMetrics() throws Exception {
        assertThat(run("faults", "inject", "f", "--route", "rest", "--abort", "503", "--for", "10m"))
                .startsWith("f: 100% of route rest, abort 503, until ");
        assertThat(get("/a").status()).isEqualTo(503);

        eventually(() -> assertThat(Files.readString(home.resolve("access.log")))
                .contains("\"fault\":\"f:abort\"", "\"error\":\"fault-injected\"", "\"error_side\":\"local\""));
        eventually(() -> assertThat(ask(ALL, "GET", "/exchanges").body()).contains("\"f: abort with 503\""));
        assertThat(ask(ALL, "GET", "/metrics").body())
                .containsPattern("lychgate_faults_injected_total\\{fault=\"f\",kind=\"abort\",route=\"rest\"\\} 1|"
                        + "lychgate_faults_injected_total\\{route=\"rest\",fault=\"f\",kind=\"abort\"\\} 1");
        assertThat(run("explain", "GET", "/a")).contains("fault f: 100% of routes rest, abort 503");
        assertThat(run("faults", "list")).startsWith("f: 100% of route rest");
        assertThat(run("faults", "stop", "f")).startsWith("no fault is active");
    }

    @Test
    void anOperatorOfSomeRoutesMustNameThem() throws Exception {
        assertThat(ask(SHOP, "POST", "/faults?name=a&reset=true&for=1m").status())
                .isEqualTo(403);
        assertThat(ask(SHOP, "POST", "/faults?name=a&route=rest&reset=true&for=1m")
                        .status())
                .isEqualTo(403);
        assertThat(ask(SHOP, "POST", "/faults?name=a&route=shop-a&route=rest&reset=true&for=1m")
                        .status())
                .isEqualTo(403);
        assertThat(ask(VIEWER, "POST", "/faults?name=a&route=shop-a&reset=true&for=1m")
                        .status())
                .isEqualTo(403);
        assertThat(ask(SHOP, "POST", "/faults?name=a&route=shop-a&abort=500&for=1m")
                        .status())
                .isEqualTo(200);
        assertThat(get("/shop/1").status()).isEqualTo(500);
        assertThat(get("/other").status()).isEqualTo(200);
    }

    @Test
    void anOperatorOfSomeRoutesCannotStopFaultsOfOthers() throws Exception {
        ask(ALL, "POST", "/faults?name=everywhere&delay=1ms&for=1m");
        ask(ALL, "POST", "/faults?name=rest&route=rest&delay=1ms&for=1m");
        ask(ALL, "POST", "/faults?name=shop&route=shop-a&delay=1ms&for=1m");

        assertThat(ask(SHOP, "POST", "/faults/stop?name=rest").status()).isEqualTo(403);
        assertThat(ask(SHOP, "POST", "/faults/stop?name=rest&route=shop-a").status())
                .isEqualTo(404);
        assertThat(ask(SHOP, "POST", "/faults/stop?name=everywhere&route=shop-a")
                        .status())
                .isEqualTo(404);
        assertThat(ask(SHOP, "POST", "/faults/stop?name=shop&route=shop-a").status())
                .isEqualTo(200);
        assertThat(faults().path("faults")).hasSize(2);
    }

    @Test
    void malformedAndConflictingFaultsAreRejected() throws Exception {
        String f = "/faults?name=f&for=1m";
        for (String bad : List.of(
                f,
                f + "&abort=200",
                f + "&delay=x",
                f + "&delay=2h",
                f + "&delay=1s&share=0%25",
                f + "&delay=1s&by=moon",
                f + "&delay=1s&header=x",
                f + "&delay=1s&header=x:regex:.%2B",
                f + "&delay=1s&header=x:a%0Ab",
                f + "&delay=1s&by=header:a%0Ab",
                f + "&abort=500&reset=true",
                "/faults?name=f&delay=1s",
                "/faults?name=f&delay=1s&for=25h",
                "/faults?name=f%0Ag&delay=1s&for=1m")) {
            assertThat(ask(ALL, "POST", bad).status()).as(bad).isEqualTo(400);
        }
        assertThat(ask(ALL, "POST", f + "&delay=1ms&route=none").status()).isEqualTo(404);
        assertThat(ask(ALL, "POST", f + "&delay=1ms").status()).isEqualTo(200);
        assertThat(ask(ALL, "POST", f + "&delay=1ms").status()).isEqualTo(409);
    }

    @Test
    void faultsAreRefusedWithoutPermission() throws Exception {
        ask(ALL, "POST", "/faults?name=f&abort=500&for=1m");
        assertThat(get("/").status()).isEqualTo(500);

        configure("");
        assertThat(ask(ALL, "POST", "/reload").status()).isEqualTo(200);

        assertThat(get("/").status()).isEqualTo(200);
        assertThat(faults().path("enabled").asBoolean()).isFalse();
        assertThat(ask(ALL, "POST", "/faults?name=f&abort=500&for=1m").status()).isEqualTo(409);
        assertThat(run("faults", "list")).contains("faults are not enabled");
    }

    @Test
    void anOperatorCanStopAFaultOfTheFile() throws Exception {
        configure(
                "faults: { enabled: true, rules: [{ name: f, routes: [rest], abort: 500, until: 2099-12-01T12:00:00Z }] }");
        assertThat(ask(ALL, "POST", "/reload").status()).isEqualTo(200);
        assertThat(get("/").status()).isEqualTo(500);
        assertThat(JSON.readTree(ask(ALL, "GET", "/routes").body())
                        .at("/routes/2/faults/0")
                        .asText())
                .startsWith("f: 100% of routes rest");

        assertThat(ask(ALL, "POST", "/faults/stop?name=f").status()).isEqualTo(200);

        assertThat(get("/").status()).isEqualTo(200);
    }
}
