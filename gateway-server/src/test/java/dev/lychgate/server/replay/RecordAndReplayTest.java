package dev.lychgate.server.replay;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.Lychgate;
import dev.lychgate.server.extensions.ExtensionJars;
import dev.lychgate.server.extensions.InstalledExtensions;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.RecordingKey;
import dev.lychgate.server.recording.RecordingReader;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.WebSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failure that a gateway with real sockets records, and its replays without sockets. */
@Tag("slow")
class RecordAndReplayTest {
    private static final String SECRET = "pl4nted-s3cret-value";

    @TempDir
    Path home = Path.of("");

    private final Gate gate = new Gate();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
        if (request.startLine().contains("/held")) {
            gate.await(Duration.ofMinutes(1));
        }
        if (request.has("upgrade")) {
            connection.send(WebSockets.granted(request)).send(WebSockets.plain(WebSockets.TEXT, SECRET));
            connection.halfClose().awaitEnd();
        } else if (request.startLine().contains("/users/")) {
            connection.send(Responses.of(200, "{\"plan\":\"gold\"}", "Content-Type: application/json"));
        } else if (request.startLine().contains("/broken")) {
            connection.send(Responses.of(502, "no", "x-origin: a"));
        } else {
            connection.send(Responses.of(200, "{\"ok\":true}", "Content-Type: application/json", "x-origin: a"));
        }
    });

    private @Nullable FileGateway<Lychgate> running;

    @AfterEach
    void stop() {
        gate.open();
        if (running != null) {
            running.gateway().close();
            running.close();
        }
        origin.close();
    }

    private Path recording() {
        return home.resolve("traffic.rec");
    }

    private void configure(String record) throws IOException {
        Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                watch: off
                filters: { directory: filters }
                routes: [{ id: shop, match: { path: "/**" }, upstream: shop, websocket: true }]
                upstreams:
                  shop: { endpoints: ["http://127.0.0.1:%d"] }
                  users: { endpoints: ["http://127.0.0.1:%d"] }
                %s
                """.formatted(origin.port(), origin.port(), record));
    }

    private void filter(String path, String text) throws IOException {
        Path file = home.resolve("filters").resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private int start() throws Exception {
        FileGateway<Lychgate> started = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
        running = started;
        return started.gateway().port("main");
    }

    private static RawMessage send(int port, String request) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send(request).readResponse();
        }
    }

    private static RawMessage get(int port, String target, String... fields) throws Exception {
        String lines = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
        return send(port, "GET " + target + " HTTP/1.1\r\nHost: shop.example\r\n" + lines + "\r\n");
    }

    private List<Recording> recorded(int count) throws Exception {
        return recorded(count, null);
    }

    private List<Recording> recorded(int count, @Nullable RecordingKey key) throws Exception {
        eventually(() -> assertThat(read(key)).hasSize(count));
        return read(key);
    }

    private List<Recording> read(@Nullable RecordingKey key) throws IOException {
        List<Recording> all = new ArrayList<>();
        try (RecordingReader reader = RecordingReader.open(recording(), key)) {
            for (Recording next = reader.next(); next != null; next = reader.next()) {
                all.add(next);
            }
        }
        return all;
    }

    private List<ReplayResult> replayed(List<Recording> recordings, Map<String, String> given) throws Exception {
        return FileGateway.look(home.resolve("gateway.yml"), name -> null, assembly -> {
            Replay replay = new Replay(assembly, given);
            List<ReplayResult> results = new ArrayList<>();
            for (Recording recording : recordings) {
                try {
                    results.add(replay.run(recording));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
            return results;
        });
    }

    private void filtersWithChanceTimeAndCallOut() throws IOException {
        filter("inbound/Draw.groovy", """
                order 1
                filter { exchange ->
                    exchange.request.headers['x-draw'] = exchange.random.nextInt(1_000_000).toString()
                    exchange.request.headers['x-at'] = exchange.time.toEpochMilli().toString()
                }
                """);
        filter("inbound/Plan.groovy", """
                order 2
                async { exchange ->
                    exchange.call('users').get('/users/7').send().thenApply { user ->
                        exchange.request.headers['x-plan'] = user.text.contains('gold') ? 'gold' : 'none'
                        exchange.proceed()
                    }
                }
                """);
        filter("outbound/Fragile.groovy", """
                failClosed()
                filter { exchange ->
                    if (exchange.request.path == '/fails') {
                        throw new IllegalStateException('draw ' + exchange.request.headers['x-draw'])
                    }
                    exchange.response.headers['x-draw'] = exchange.request.headers['x-draw']
                }
                """);
    }

    @Test
    void aReplayHasTheBrownoutOfTheRecordedExchange() throws Exception {
        filter("inbound/Reduced.groovy", """
                applies { it.brownout }
                filter { it.respond(200, it.brownout ? '[]' : 'unequal') }
                """);
        String configuration = """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                watch: off
                workers: 1
                filters: { directory: filters }
                routes: [{ id: shop, filters: [Reduced], upstream: shop }]
                upstreams: { shop: { endpoints: ["http://127.0.0.1:%d"], bulkhead: { concurrent: 1 } } }
                record: { file: traffic.rec, rules: [{ match: { path: /recommendations } }] }
                """.formatted(origin.port());
        Files.writeString(
                home.resolve("gateway.yml"), configuration + "overload: { reserve: 0%, brownout: 100ms, hold: 1h }\n");
        int port = start();
        assertThat(get(port, "/recommendations").body()).contains("ok");
        int before = origin.requestsSeen();
        try (RawClient busy = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            busy.send("GET /held HTTP/1.1\r\nHost: shop.example\r\n\r\n");
            origin.awaitRequests(before + 1);
            eventually(() -> assertThat(get(port, "/other").body()).isEqualTo("[]"));
            assertThat(get(port, "/recommendations").body()).isEqualTo("[]");
        }

        List<Recording> all = recorded(2);
        assertThat(all.get(0).place().brownouts()).isEmpty();
        assertThat(all.get(1).place().brownouts()).containsExactly("shop");
        assertThat(replayed(all, Map.of())).allMatch(ReplayResult::isSame);
        assertThat(ReplayText.steps(replayed(all, Map.of()).get(1)))
                .anyMatch(line -> line.contains("status 200, route shop, brown-out of shop"));
        Files.writeString(home.resolve("gateway.yml"), configuration);
        assertThat(replayed(all, Map.of())).as("without a reaction to overload").allMatch(ReplayResult::isSame);
    }

    @Test
    void aReplayUsesTheRecordedIdentity() throws Exception {
        Path directory = Files.createDirectories(home.resolve("extensions"));
        ExtensionJars.guards("field").write(directory.resolve("field.jar"));
        System.setProperty(InstalledExtensions.DIRECTORY, directory.toString());
        try {
            filter("inbound/Own.groovy", """
                    filter { exchange ->
                        exchange.request.headers['x-who'] = exchange.identity?.subject() + exchange.request.headers['x-sender']
                    }
                    """);
            Files.writeString(home.resolve("gateway.yml"), """
                    listeners: [{ name: main, address: "127.0.0.1:0" }]
                    watch: off
                    extensions: { field: {} }
                    authenticate: { field-user: { header: x-api-key }, claims-to-headers: { sub: x-sender } }
                    filters: { directory: filters }
                    routes:
                      - { id: team, match: { claims: { team: alices } }, authorize: alice, upstream: shop }
                      - { id: shop, upstream: shop }
                    upstreams: { shop: { endpoints: ["http://127.0.0.1:%d"] } }
                    record: { file: traffic.rec, rules: [{}] }
                    """.formatted(origin.port()));
            int port = start();
            // Each is awaited, because exchanges of different loops are written in the order in which they end.
            assertThat(get(port, "/", "x-api-key: alice").status()).isEqualTo(200);
            recorded(1);
            assertThat(get(port, "/", "x-api-key: bob").status()).isEqualTo(200);
            recorded(2);
            assertThat(get(port, "/").status()).isEqualTo(401);

            List<Recording> all = recorded(3);
            assertThat(all.get(0).place().route()).isEqualTo("team");
            assertThat(all.get(0).steps())
                    .extracting(step -> step.stage() + " " + step.filter())
                    .containsExactly("authenticate-listener authenticate", "global Own", "authorize cel");
            assertThat(replayed(all.subList(0, 2), Map.of()))
                    .allSatisfy(result -> assertThat(result.differences()).isEmpty())
                    .extracting(result ->
                            Objects.requireNonNull(result.replayed()).place().route())
                    .containsExactly("team", "shop");
            assertThatThrownBy(() -> replayed(all.subList(2, 3), Map.of()))
                    .hasStackTraceContaining("the request was rejected by its authentication, which is not replayed");
        } finally {
            System.clearProperty(InstalledExtensions.DIRECTORY);
        }
    }

    @Test
    void aRecordedFailureHasTheSameOutcomeInEachOf100Replays() throws Exception {
        filtersWithChanceTimeAndCallOut();
        configure("record: { file: traffic.rec, rules: [{ errors: true }] }");
        int port = start();
        assertThat(get(port, "/works").status()).isEqualTo(200);
        assertThat(get(port, "/fails").status()).isEqualTo(500);

        Recording failure = recorded(1).get(0);

        assertThat(failure.request().path()).isEqualTo("/fails");
        assertThat(failure.error()).isNotNull();
        assertThat(failure.steps()).extracting(Recording.Step::filter).containsExactly("Draw", "Plan", "Fragile");
        assertThat(failure.calls())
                .singleElement()
                .satisfies(call -> assertThat(call.upstream()).isEqualTo("users"));
        List<ReplayResult> results = replayed(java.util.Collections.nCopies(100, failure), Map.of());
        Set<String> courses = new HashSet<>();
        for (ReplayResult result : results) {
            assertThat(result.differences()).isEmpty();
            assertThat(result.replayed()).isNotNull();
            courses.add(result.replayed().steps().stream()
                    .map(step -> step.filter() + step.outcome() + step.changes())
                    .toList()
                    .toString());
        }
        assertThat(courses).hasSize(1);
    }

    @Test
    void aReplayAsksNoRateLimits() throws Exception {
        configure("record: { file: traffic.rec, rules: [{}] }\nrate-limits: { few: { limit: 2/h } }");
        Path file = home.resolve("gateway.yml");
        Files.writeString(file, Files.readString(file).replace("id: shop,", "id: shop, rate-limit: few,"));
        filter("inbound/Pass.groovy", "filter { }\n");
        int port = start();
        // Each is awaited, because exchanges of different loops are written in the order in which they end.
        assertThat(get(port, "/1").value("ratelimit")).isPresent();
        recorded(1);
        assertThat(get(port, "/2").status()).isEqualTo(200);
        recorded(2);
        assertThat(get(port, "/3").status()).isEqualTo(429);

        List<Recording> exchanges = recorded(3);
        List<Recording> often = List.of(exchanges.get(0), exchanges.get(1), exchanges.get(0), exchanges.get(1));
        assertThat(replayed(often, Map.of()))
                .allSatisfy(result -> assertThat(result.differences()).isEmpty());
        Recording continued = replayed(exchanges.subList(2, 3), Map.of()).get(0).replayed();
        assertThat(continued).isNotNull();
        assertThat(continued.response()).isNotNull();
        assertThat(continued.response().status()).isEqualTo(502);
    }

    /** Otherwise the first exchange would ban the client of the others. */
    @Test
    void aReplayBansNoClient() throws Exception {
        configure("record: { file: traffic.rec, rules: [{}] }");
        filter("inbound/Ban.groovy", "filter { it.banClient('1h', 'a test') }\n");
        int port = start();
        assertThat(get(port, "/1").status()).isEqualTo(200);

        Recording first = recorded(1).get(0);
        assertThat(replayed(List.of(first, first, first), Map.of()))
                .allSatisfy(result -> assertThat(result.differences()).isEmpty());
    }

    @Test
    void aChangedFilterShowsAsADifferenceOfThatFilter() throws Exception {
        filtersWithChanceTimeAndCallOut();
        configure("record: { file: traffic.rec, rules: [{ share: 100% }] }");
        int port = start();
        get(port, "/orders");
        List<Recording> all = recorded(1);
        filter(
                "outbound/Fragile.groovy",
                "filter { it.response.headers['x-draw'] = 'fixed'; it.response.status = 203 }");

        ReplayResult result = replayed(all, Map.of()).get(0);

        assertThat(result.differences())
                .extracting(ReplayDifference::toString)
                .anyMatch(line -> line.startsWith("outbound Fragile: x-draw: "))
                .anyMatch(line -> line.equals("status: 200 -> 203"))
                .noneMatch(line -> line.contains("Draw: ") || line.contains("Plan: "));
    }

    @Test
    void replaysFailuresOfTheOriginAndRejectionsOfFilters() throws Exception {
        filter("inbound/Gate.groovy", "filter { if (it.request.path == '/no') it.respond(403, 'no') }");
        configure("record: { file: traffic.rec, rules: [{}] }");
        int port = start();
        // Each is awaited, because exchanges of different loops are written in the order in which they end.
        assertThat(get(port, "/broken").status()).isEqualTo(502);
        recorded(1);
        assertThat(get(port, "/no").status()).isEqualTo(403);
        recorded(2);
        assertThat(send(
                                port,
                                "POST /body HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/json\r\n"
                                        + "Content-Length: 9\r\n\r\n{\"n\": 12}")
                        .status())
                .isEqualTo(200);
        List<Recording> all = recorded(3);

        assertThat(all.get(2).request().body().bytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("{\"n\": 12}");
        assertThat(replayed(all, Map.of()))
                .allSatisfy(result -> assertThat(result.differences()).isEmpty());
    }

    @Test
    void plantedSecretsAreNowhereInTheFile() throws Exception {
        filter("inbound/Copy.groovy", """
                filter { exchange ->
                    exchange.request.headers['x-user'] = exchange.request.headers['authorization'] ?: 'none'
                }
                """);
        configure("record: { file: traffic.rec, rules: [{}], redact: { headers: [x-partner], query: [voucher],"
                + " json: ['$.card'] } }");
        int port = start();
        String json = "{\"card\":\"" + SECRET + "\",\"password\":\"" + SECRET + "-2\"}";
        send(
                port,
                "POST /orders?voucher=" + SECRET + "&access_token=" + SECRET + " HTTP/1.1\r\nHost: shop.example\r\n"
                        + "Authorization: Bearer " + SECRET + "\r\nCookie: session=" + SECRET + "\r\n"
                        + "X-Partner: " + SECRET + "\r\nProxy-Authorization: Basic " + SECRET + "\r\n"
                        + "Referer: https://shop.example/?token=" + SECRET + "\r\n"
                        + "Content-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n" + json);
        recorded(1);

        StringBuilder everything = new StringBuilder(Files.readString(recording(), StandardCharsets.ISO_8859_1));
        try (RecordingReader reader = RecordingReader.open(recording(), null)) {
            for (byte[] line = reader.nextLine(); line != null; line = reader.nextLine()) {
                everything.append(new String(line, StandardCharsets.UTF_8));
            }
        }
        assertThat(everything).contains("/orders").contains("***").doesNotContain(SECRET);
    }

    @Test
    void recordsTheHandshakeOfAWebSocketAndNoneOfItsFrames() throws Exception {
        filter("inbound/None.groovy", "filter { }");
        configure("record: { file: traffic.rec, rules: [{}] }");
        int port = start();
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            client.send(WebSockets.handshake("/socket")).readHead();
            client.awaitEnd();
        }

        Recording handshake = recorded(1).get(0);

        assertThat(handshake.request().path()).isEqualTo("/socket");
        assertThat(handshake.origin()).isNotNull();
        assertThat(handshake.origin().status()).isEqualTo(101);
        assertThat(handshake.origin().body().bytes()).isEmpty();
        assertThat(responseBody(handshake).bytes()).isEmpty();
    }

    @Test
    void aGivenFieldReplacesAMaskedOne() throws Exception {
        filter(
                "inbound/Key.groovy",
                "filter { if (it.request.headers['x-api-key'] != 'k3y-of-the-test') it.respond(401) }");
        configure("record: { file: traffic.rec, rules: [{}] }");
        int port = start();
        assertThat(get(port, "/", "x-api-key: k3y-of-the-test").status()).isEqualTo(200);
        List<Recording> all = recorded(1);

        assertThat(all.get(0).masked()).containsExactly("x-api-key");
        assertThat(replayed(all, Map.of()).get(0).isSame()).isFalse();
        assertThat(replayed(all, Map.of("x-api-key", "k3y-of-the-test")).get(0).differences())
                .isEmpty();
    }

    @Test
    void recordsOnlySelectedExchangesAndEncryptsThem() throws Exception {
        filter("inbound/None.groovy", "filter { }");
        Files.writeString(home.resolve("record.key"), "7".repeat(64));
        configure(
                "record: { file: traffic.rec, encrypt: record.key, body: 4B, rules: [{ match: { path: '/a/**' } }] }");
        int port = start();
        RecordingKey key = RecordingKey.read(home.resolve("record.key"));
        get(port, "/a/1");
        recorded(1, key);
        get(port, "/b/2");
        get(port, "/a/3");

        List<Recording> all = recorded(2, key);

        assertThat(all).extracting(each -> each.request().path()).containsExactly("/a/1", "/a/3");
        assertThat(responseBody(all.get(0)).bytes()).hasSizeLessThanOrEqualTo(4);
        assertThat(responseBody(all.get(0)).cut()).isTrue();
        assertThat(Files.readString(recording(), StandardCharsets.ISO_8859_1)).doesNotContain("shop.example");
    }

    private static Recording.Body responseBody(Recording of) {
        return Objects.requireNonNull(of.response()).body();
    }
}
