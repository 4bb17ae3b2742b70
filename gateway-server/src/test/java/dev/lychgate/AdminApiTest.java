package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The admin API of a gateway that watches its files. */
@Tag("slow")
class AdminApiTest extends AdministeredGateway {
    /** The filters of this test block while this property is set. */
    private static final String HOLD = "lychgate.test.hold";

    // ---- the OpenAPI document

    /** {@link #ask} validates each response against the document. */
    private int askEvery(String method, Map<String, String> queries) throws Exception {
        get("/version");
        List<String> paths = new ArrayList<>(Objects.requireNonNull(api).paths(method));
        if (method.equals("POST")) {
            // It needs a candidate, which a rollback would withdraw.
            paths.remove("/rollout");
            // It needs a separate process; see UpgradeTest.
            paths.remove("/upgrade");
        }
        // It needs a recording; see FetchedRecordingTest.
        paths.remove("/exchanges/recording");
        // It needs a fleet; see FleetProcessTest.
        paths.removeAll(List.of("/fleet", "/fleet/nodes"));
        for (String path : paths) {
            RawMessage response = ask(method, path + queries.getOrDefault(path, ""));
            assertThat(response.status()).as(path + " " + response.body()).isEqualTo(200);
        }
        return paths.size();
    }

    @Test
    void everyPageMatchesTheOpenApiDocument() throws Exception {
        client("/api/x");
        Map<String, String> queries = Map.of(
                "/explain", "?url=/api/x",
                "/generations/diff", "?from=1&to=2",
                "/exchanges/one", "?id=" + failed().path("id").asText());
        filter("stamp", "filter { }");
        post("/reload");
        filter("stamp", "filter {");
        assertThat(ask("POST", "/reload").status()).isEqualTo(422);
        assertThat(askEvery("GET", queries)).isGreaterThan(15);
    }

    @Test
    void everyActionMatchesTheOpenApiDocument() throws Exception {
        String endpoint =
                get("/upstreams").at("/upstreams/0/endpoints/0/endpoint").asText();
        post("/reload");
        Map<String, String> queries = Map.ofEntries(
                Map.entry("/rollback", "?generation=1"),
                Map.entry("/upstreams/endpoint", "?upstream=token-service&endpoint=" + endpoint + "&state=draining"),
                Map.entry("/breakers", "?upstream=token-service&state=force-open"),
                Map.entry("/filters", "?phase=outbound&name=stamp&state=disabled"),
                Map.entry("/faults", "?name=f&delay=1ms&for=10m"),
                Map.entry("/faults/stop", "?name=f"),
                Map.entry("/bans", "?address=192.0.2.1&for=1h&reason=x"),
                Map.entry("/bans/end", "?address=192.0.2.1"),
                Map.entry("/cache/purge", "?by=all"),
                Map.entry("/log", "?logger=dev.lychgate.test&level=debug&for=10m"),
                Map.entry("/drain", "?ready=false"));
        // And those without parameters: /reload and /mirrors/reset.
        assertThat(askEvery("POST", queries)).isEqualTo(queries.size() + 2);
        filter("fresh", "filter { }");
        post("/reload?rollout=0.01%25&hold=1h");
        assertThat(post("/rollout?action=pause").path("state").asText()).isEqualTo("paused");
        assertThat(get("/rollout").path("candidate").asLong()).isPositive();
    }

    @Test
    void theAuditLogCanNotBeDisabled() throws Exception {
        assertThat(ask("POST", "/log?logger=lychgate.audit&level=off").status()).isEqualTo(400);
        assertThat(ask("POST", "/log?logger=lychgate.audit&level=inherit").status())
                .isEqualTo(400);
    }

    // ---- pages

    @Test
    void theConfigurationIsShownWithDefaultsAndWithoutSecrets() throws Exception {
        JsonNode config = get("/config").path("config");

        assertThat(config.toString()).doesNotContain("swordfish", TOKEN, "c3dvcmRmaXNo");
        assertThat(config.at("/admin/token").asText()).isEqualTo("***");
        assertThat(config.at("/admin/address").asText()).isEqualTo("127.0.0.1:0");
        assertThat(config.at("/filters/trace/secret").asText()).isEqualTo("***");
        assertThat(config.at("/filters/global/0/set-request-header/name").asText())
                .isEqualTo("authorization");
        assertThat(config.at("/filters/global/0/set-request-header/value").asText())
                .isEqualTo("***");
        JsonNode upstream = config.at("/upstreams/token-service");
        assertThat(upstream.at("/persistence/secret").asText()).isEqualTo("***");
        assertThat(upstream.at("/persistence/cookie").asText()).isNotEmpty();
        assertThat(upstream.at("/protocol").asText()).isEqualTo("http/1.1");
        assertThat(upstream.at("/pool/idle").asText()).isEqualTo("4s");
        assertThat(upstream.at("/breaker/minimum").asInt()).isEqualTo(5);
        assertThat(config.at("/listeners/1/tls/certificates/0/key").asText()).endsWith("site.key");
        assertThat(config.at("/listeners/0/limits/header-bytes").asText()).isEqualTo("64KiB");
        assertThat(config.at("/routes/0/match/headers/x-beta").asText()).isEqualTo("yes");
        assertThat(config.at("/routes/1/priority").asInt()).isEqualTo(5);
    }

    @Test
    void differencesBetweenGenerationsAreShownByKeyAndByLine() throws Exception {
        configure("/other/**");
        filter("stamp", "def secret = 'mackerel'\nfilter { it.response.headers['x-stamp'] = '2' }");
        Files.delete(home.resolve("filters/outbound/guard.groovy"));
        filter("fresh", "filter { }");
        // The watch of files may have built a generation from some of the files before.
        long latest = post("/reload").at("/kept/0/number").asLong();

        JsonNode difference = get("/generations/diff?from=1&to=" + latest);

        assertThat(difference.path("config"))
                .extracting(change -> change.path("key").asText() + ": "
                        + change.path("from").asText() + " -> "
                        + change.path("to").asText())
                .containsExactly(
                        "routes[api].match.path: /api/** -> /other/**",
                        "routes[beta].match.path: /api/** -> /other/**");
        assertThat(difference.path("certificates").asBoolean(true)).isFalse();
        assertThat(difference.path("files"))
                .extracting(file ->
                        file.path("path").asText() + " " + file.path("change").asText())
                .containsExactly(
                        "outbound/fresh.groovy added",
                        "outbound/guard.groovy removed",
                        "outbound/stamp.groovy changed");
        assertThat(difference.at("/files/2/lines"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        "-def secret = '***'",
                        "-filter { it.response.headers['x-stamp'] = '1' }",
                        "+def secret = '***'",
                        "+filter { it.response.headers['x-stamp'] = '2' }");
        assertThat(ask("GET", "/generations/diff?from=1&to=9").status()).isEqualTo(404);
        assertThat(ask("GET", "/generations/diff?from=1&to=x").status()).isEqualTo(400);
        assertThat(ask("GET", "/generations/diff?from=x&to=1").status()).isEqualTo(400);
    }

    @Test
    void theRunningGenerationExplainsTheRouteOfARequest() throws Exception {
        JsonNode plain = get("/explain?url=http://a.example/api/x%3Fq=1&client=10.0.0.1");
        assertThat(plain.path("request").asText()).isEqualTo("GET http://a.example/api/x?q=1");
        assertThat(plain.at("/considered/0/verdict").asText()).isEqualTo("failed");
        assertThat(plain.at("/meets/0/route").asText()).isEqualTo("api");
        assertThat(plain.at("/meets/0/filters"))
                .extracting(filter -> filter.path("name").asText())
                .contains("stamp", "guard");

        JsonNode beta = get("/explain?method=POST&url=/api/x&header=x-beta:yes&listener=secure");
        assertThat(beta.at("/meets/0/route").asText()).isEqualTo("beta");
        assertThat(beta.at("/meets/0/does").asText()).isEqualTo("responds with 204");

        assertThat(get("/explain?url=/none").path("meets")).isEmpty();
        assertThat(get("/explain?url=/a%2500").path("refused").asText()).isNotEmpty();
        assertThat(ask("GET", "/explain?url=/a&listener=none").status()).isEqualTo(404);
        for (String wrong : List.of(
                "url=ftp://a",
                "url=/a&method=G%20T",
                "url=/a&header=x",
                "url=/a&header=x:y%0d%0az:z",
                "url=/a&header=host:b",
                "url=/a&client=a.example",
                "url=/a&url=/b",
                "method=GET")) {
            assertThat(ask("GET", "/explain?" + wrong).status()).as(wrong).isEqualTo(400);
        }
        assertThat(origin.requests()).as("nothing is sent").isEmpty();
    }

    @Test
    void loopsListenersPoolsAndThreadsAreShown() throws Exception {
        client("/api/x");

        assertThat(get("/loops").path("loops"))
                .hasSize(files.gateway().gateway().workers());
        // A loop that the machine does not run for half a second is silent.
        eventually(() -> {
            JsonNode loop = get("/loops").at("/loops/0");
            assertThat(loop.path("silent").asBoolean(true)).isFalse();
            assertThat(loop.path("lag_us").isNumber()).isTrue();
        });
        JsonNode listeners = get("/listeners").path("listeners");
        assertThat(listeners.at("/0/connections/accepted").asInt()).isEqualTo(1);
        assertThat(listeners.at("/0/connections/configured").asInt()).isEqualTo(20_000);
        int most = listeners.at("/0/connections/most").asInt();
        assertThat(most).isBetween(1, 20_000);
        JsonNode effective = get("/config").at("/effective/listeners/0");
        assertThat(effective.at("/limits/connections").asInt()).isEqualTo(most);
        assertThat(effective.path("name").asText()).isEqualTo("main");
        assertThat(listeners.at("/0/address").asText())
                .isEqualTo("127.0.0.1:" + files.gateway().port("main"));
        assertThat(listeners.at("/1/certificates/0/name").asText()).isEqualTo("lychgate.test");
        assertThat(listeners.at("/1/certificates/0/days_left").asInt()).isBetween(80, 90);
        assertThat(get("/pools").at("/pools/0/upstream").asText()).isEqualTo("token-service");
        assertThat(get("/pools").at("/pools/0/opened").asInt()).isEqualTo(1);
        assertThat(get("/threads").path("threads"))
                .extracting(thread -> thread.path("name").asText())
                .anyMatch(name -> name.startsWith("lychgate-loop-"))
                .allMatch(name -> name.startsWith("lychgate-"));
        assertThat(get("/version").path("transport").asText())
                .isEqualTo(files.gateway().gateway().transport());
        assertThat(get("/version").path("netty").asText()).startsWith("4.");
    }

    @Test
    void aBlockedLoopIsShownWithItsFilter() throws Exception {
        filter("stamp", "filter { while (System.getProperty('" + HOLD + "') != null) { } }");
        post("/reload");
        held(() -> eventually(Duration.ofSeconds(30), () -> {
            JsonNode loops = get("/loops").path("loops");
            assertThat(loops).anySatisfy(loop -> {
                assertThat(loop.path("silent").asBoolean()).isTrue();
                assertThat(loop.path("filter").asText()).isEqualTo("outbound filter stamp");
                assertThat(loop.path("clients").asInt()).isPositive();
            });
            assertThat(get("/threads").path("threads").toString()).contains("stamp");
        }));
    }

    @Test
    void aBlockingFilterIsShownWithItsStack() throws Exception {
        filter("stamp", "timeout '60s'\nblocking { while (System.getProperty('" + HOLD + "') != null) { sleep(20) } }");
        post("/reload");
        held(() -> eventually(Duration.ofSeconds(30), () -> {
            JsonNode call = get("/threads").at("/blocking/0");
            assertThat(call.path("filter").asText()).isEqualTo("outbound filter stamp");
            assertThat(call.path("stack").toString()).contains("sleep", "stamp");
        }));
    }

    private interface Look {
        void look() throws Exception;
    }

    /** Requests the page while a filter blocks a request. */
    private void held(Look look) throws Exception {
        InetSocketAddress main = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), files.gateway().port("main"));
        System.setProperty(HOLD, "yes");
        try (RawClient held = RawClient.connect(main)) {
            held.send("GET /api/hold HTTP/1.1\r\nHost: localhost\r\n\r\n");
            look.look();
        } finally {
            System.clearProperty(HOLD);
        }
    }

    @Test
    void aFailingReceiverIsALossOfTheLastMinute() throws Exception {
        Path other = Files.createDirectories(home.resolve("failing"));
        try (RefusingPort receiver = new RefusingPort()) {
            Files.writeString(other.resolve("gateway.yml"), """
                    listeners: [{ name: main, address: "127.0.0.1:0" }]
                    admin: { address: "127.0.0.1:0", token: %s }
                    metrics: { opentsdb: { url: "http://127.0.0.1:%d/api/put", interval: 1s } }
                    access-log: { format: off }
                    """.formatted(
                            TOKEN, receiver.address().getPort()));
            FileGateway<Lychgate> first = files;
            try (FileGateway<Lychgate> second =
                    FileGateway.start(other.resolve("gateway.yml"), name -> null, Lychgate::start)) {
                files = second;
                eventually(() -> assertThat(get("/losses").path("losses")).anySatisfy(loss -> {
                    assertThat(loss.path("kind").asText()).isEqualTo("receiver");
                    assertThat(loss.path("name").asText()).isEqualTo("opentsdb");
                    assertThat(loss.path("metric").asText()).isEqualTo("lychgate_push_failed_tries_total");
                    assertThat(loss.path("recent").asInt()).isPositive();
                }));
                assertThat(get("/losses").path("losses"))
                        .as("others are complete")
                        .allMatch(loss -> loss.path("recent").asInt() == 0
                                || loss.path("name").asText().equals("opentsdb"));
                second.gateway().close();
            } finally {
                files = first;
            }
        }
    }

    @Test
    void aChangedTokenFileTakesEffectWithTheNextGeneration() throws Exception {
        Path other = Files.createDirectories(home.resolve("other"));
        Files.writeString(other.resolve("token"), TOKEN);
        Files.writeString(other.resolve("gateway.yml"), """
            listeners: [{ name: main, address: "127.0.0.1:0" }]
            admin: { address: "127.0.0.1:0", token-file: token }
            access-log: { format: off }
            """);
        FileGateway<Lychgate> first = files;
        try (FileGateway<Lychgate> second =
                FileGateway.start(other.resolve("gateway.yml"), name -> null, Lychgate::start)) {
            files = second;
            assertThat(ask("GET", "/version").status()).isEqualTo(200);
            Files.writeString(other.resolve("token"), "another-horse-battery");
            eventually(() -> assertThat(ask("GET", "/version").status()).isEqualTo(401));
            assertThat(second.gateway().gateway().generation().number())
                    .as("the content of the file is a part of the generation")
                    .isEqualTo(2);
            second.gateway().close();
        } finally {
            files = first;
        }
    }
}
