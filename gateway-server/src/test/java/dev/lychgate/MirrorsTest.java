package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.cli.LychgateCommand;
import dev.lychgate.server.cli.Signals;
import dev.lychgate.server.cli.Surroundings;
import dev.lychgate.server.engine.DataPlaneEngine;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mirrors of a gateway with files: the comparison of responses, the admin pages, the command and the metrics. */
@Tag("slow")
class MirrorsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VIEWER = "viewer-viewer-viewer";
    private static final String RECORDER = "recorder-recorder-recorder";
    private static final String DEPLOY = "deploy-deploy-deploy";
    /** Fewer responses than the queue of comparisons holds, so that none is skipped if their thread pauses. */
    private static final int PACE = 200;

    @TempDir
    Path home = Path.of("");

    private final List<AutoCloseable> open = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // each test starts it
    private FileGateway<Lychgate> gateway;

    @AfterEach
    void end() throws Exception {
        gateway.gateway().close();
        gateway.close();
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** Responds to a request. */
    private interface Answer {
        byte[] to(RawMessage request) throws Exception;
    }

    private int origin(Answer answer) {
        ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((r, c) -> c.send(answer.to(r)));
        open.add(origin);
        return origin.port();
    }

    private void start(String compare, Answer primary, Answer shadow) throws Exception {
        gateway = FileGateway.start(
                Files.writeString(home.resolve("gateway.yml"), """
                    listeners: [{ name: main, address: "127.0.0.1:0" }]
                    admin:
                      address: "127.0.0.1:0"
                      operators:
                        - { name: grafana, token: %s }
                        - { name: debug, roles: [recorder], token: %s }
                        - { name: deploy, roles: [operator], token: %s }
                    access-log: { format: off }
                    routes:
                      - { id: api, upstream: v1, mirror: { upstream: v2, compare: %s } }
                    upstreams:
                      v1: { endpoints: ["http://127.0.0.1:%d"] }
                      v2: { endpoints: ["http://127.0.0.1:%d"] }
                    """.formatted(
                                VIEWER, RECORDER, DEPLOY, compare, origin(primary), origin(shadow))),
                name -> null,
                Lychgate::start);
    }

    private RawClient client() throws Exception {
        return RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port("main")));
    }

    private RawMessage admin(String token, String method, String target) throws Exception {
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().adminPort());
        try (RawClient client = RawClient.connect(address)) {
            return client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                            + "\r\nContent-Length: 0\r\nx-lychgate-admin: test\r\n\r\n")
                    .readResponse();
        }
    }

    private JsonNode examples() throws Exception {
        return JSON.readTree(admin(RECORDER, "GET", "/mirrors/examples").body()).at("/mirrors/0");
    }

    private void awaitComparisons(int count) throws Exception {
        eventually(Duration.ofSeconds(30), () -> {
            int sum = 0;
            for (JsonNode one : examples().path("comparisons")) {
                sum += one.asInt();
            }
            assertThat(sum).isEqualTo(count);
        });
    }

    private static byte[] json(String body, String... fields) {
        List<String> all = new ArrayList<>(List.of(fields));
        all.add("Content-Type: application/json");
        return Responses.of(200, body, all.toArray(String[]::new)).getBytes(StandardCharsets.ISO_8859_1);
    }

    // ---- comparison

    @Test
    void findsEveryDifferenceAndNoneInIgnoredFields() throws Exception {
        int requests = 1000;
        Random random = new Random(24);
        List<String> kinds = List.of("status", "header", "price", "item", "missing", "added", "type", "text", "none");
        List<String> seeds = new ArrayList<>();
        Map<String, Integer> expected = new HashMap<>();
        for (int i = 0; i < requests; i++) {
            String kind = kinds.get(random.nextInt(kinds.size()));
            seeds.add(kind);
            expected.merge(kind, 1, Integer::sum);
        }
        Answer primary = request -> answer(seed(seeds, request), false, random());
        Answer shadow = request -> answer(seed(seeds, request), true, random());
        start("{ headers: [x-version], json: { ignore: [$.ts, \"$.items[*].id\"] } }", primary, shadow);

        try (RawClient client = client()) {
            for (int i = 0; i < requests; i++) {
                assertThat(client.get("/" + i).has("x-lychgate-mirror")).isFalse();
                if ((i + 1) % PACE == 0) {
                    awaitComparisons(i + 1);
                }
            }
        }
        awaitComparisons(requests);

        JsonNode mirror = examples();
        assertThat(mirror.at("/comparisons/equal").asInt()).isEqualTo(expected.get("none"));
        assertThat(mirror.at("/comparisons/different").asInt()).isEqualTo(requests - expected.getOrDefault("none", 0));
        Map<String, Integer> found = new HashMap<>();
        for (JsonNode group : mirror.path("differences")) {
            found.put(
                    group.path("kind").asText() + " " + group.path("subject").asText(),
                    group.path("count").asInt());
            assertThat(group.path("examples")).hasSizeBetween(1, 3);
        }
        assertThat(found)
                .containsOnly(
                        Map.entry("status 200 -> 503", expected.get("status")),
                        Map.entry("header x-version", expected.get("header")),
                        Map.entry("json $.price", expected.get("price")),
                        Map.entry("json $.items[*].name", expected.get("item")),
                        Map.entry("json $.only", expected.get("missing")),
                        Map.entry("json $.*", expected.get("added")),
                        Map.entry("json $.flag", expected.get("type")),
                        Map.entry("body body", expected.get("text")));
    }

    private static int random() {
        return ThreadLocalRandom.current().nextInt();
    }

    private static String seed(List<String> seeds, RawMessage request) {
        return seeds.get(Integer.parseInt(request.target().substring(1)));
    }

    /** The ignored fields are random. A difference is in the response of the shadow alone. */
    private static byte[] answer(String kind, boolean shadow, int random) {
        if (kind.equals("text")) {
            return Responses.of(200, shadow ? "other" : "text", "Content-Type: text/plain")
                    .getBytes(StandardCharsets.ISO_8859_1);
        }
        if (kind.equals("status") && shadow) {
            return Responses.of(503, "down").getBytes(StandardCharsets.ISO_8859_1);
        }
        String price = kind.equals("price") && shadow ? "12.51" : shadow ? "1.250e1" : "12.5";
        String name = kind.equals("item") && shadow ? "pen" : "cup";
        String flag = kind.equals("type") && shadow ? "\"true\"" : "true";
        String only = kind.equals("missing") && shadow ? "" : ",\"only\":{}";
        String added = kind.equals("added") && shadow ? ",\"a new\":1" : "";
        String version = kind.equals("header") && shadow ? "2" : "1";
        String items = "[{\"id\":" + random + ",\"name\":\"" + name + "\"},{\"id\":\"" + random + "\",\"name\":null}]";
        String first = "\"ts\":" + random + ",\"items\":" + items;
        String second = "\"price\":" + price + ",\"flag\":" + flag;
        // The order of properties has no meaning.
        String body = "{" + (shadow ? second + "," + first : first + "," + second) + only + added + "}";
        return json(body, "X-Version: " + version);
    }

    @Test
    void comparesTheContentOfCompressedBodies() throws Exception {
        start(
                "{ json: { ignore: [$.ts] } }",
                request -> gzip("{\"ts\":1,\"a\":1}"),
                request -> request.target().equals("/same") ? json("{\"a\":1,\"ts\":2}") : gzip("{\"ts\":3,\"a\":2}"));
        try (RawClient client = client()) {
            client.get("/same");
            client.get("/other");
        }
        awaitComparisons(2);
        assertThat(examples().at("/comparisons/equal").asInt()).isEqualTo(1);
        assertThat(examples().at("/differences/0/subject").asText()).isEqualTo("$.a");
    }

    private static byte[] gzip(String text) throws Exception {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try (GZIPOutputStream coded = new GZIPOutputStream(body)) {
            coded.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return json(body.toString(StandardCharsets.ISO_8859_1), "Content-Encoding: gzip");
    }

    @Test
    void comparesMalformedAndDeepJsonByteByByte() throws Exception {
        String deep = "[".repeat(20_000) + "]".repeat(20_000);
        start(
                "{}",
                request -> json(request.target().equals("/deep") ? deep : "{\"a\":"),
                request -> json(request.target().equals("/deep") ? deep + " " : "{\"a\":1e99999999999}"));
        try (RawClient client = client()) {
            client.get("/deep");
            client.get("/malformed");
        }
        awaitComparisons(2);
        assertThat(examples().at("/differences/0/kind").asText()).isEqualTo("body");
        assertThat(examples().at("/differences/0/count").asInt()).isEqualTo(2);
        assertThat(examples().at("/differences/0/examples/0/primary").asText()).contains("bytes, SHA-256");
    }

    @Test
    void boundsTheGroupsAndCountsTheRest() throws Exception {
        start("{ headers: [x-a] }", request -> json(wide(1)), request -> json(wide(2)));
        try (RawClient client = client()) {
            for (int i = 0; i < 40; i++) {
                client.get("/" + i);
            }
        }
        awaitComparisons(40);
        assertThat(examples().path("differences")).hasSize(200);
        assertThat(examples().path("further").asInt()).isPositive();
    }

    /** An object with 40 properties of random names. */
    private static String wide(int value) {
        StringBuilder text = new StringBuilder("{\"a\":0");
        for (int i = 0; i < 40; i++) {
            text.append(",\"p").append(random() & 0xffffff).append("\":").append(value);
        }
        return text.append('}').toString();
    }

    // ---- documentation

    @Test
    void printsTheDocumentedDifferences() throws Exception {
        String page = Files.readString(Path.of("../docs/mirroring.md"));
        int primary = origin(request -> json("{\"ts\":1,\"price\":1}"));
        int shadow = origin(
                request -> json("{\"ts\":2,\"price\":" + (request.target().equals("/api/a") ? 1 : 2) + "}"));
        String yaml = page.substring(page.indexOf("```yaml") + 8, page.indexOf("```", page.indexOf("```yaml") + 8));
        gateway = FileGateway.start(
                Files.writeString(
                        home.resolve("gateway.yml"),
                        yaml.replace(":8080", ":0")
                                .replace(":8081", ":0")
                                .replace(":9000", ":" + primary)
                                .replace(":9001", ":" + shadow)),
                name -> null,
                Lychgate::start);
        try (RawClient client = client()) {
            client.get("/api/a");
            client.get("/api/b");
        }
        int from = page.indexOf("$ lychgate mirror\n");
        List<String> documented =
                page.substring(from, page.indexOf("```", from)).lines().skip(2).toList();
        eventually(() -> assertThat(run("", "mirror").lines().skip(1)).containsExactlyElementsOf(documented));
    }

    // ---- access

    @Test
    void showsCountsToViewersAndExamplesToRecordersOnlyAndRedactsThem() throws Exception {
        start(
                "{ headers: [set-cookie, x-a] }",
                request -> json(secrets("swordfish", 1), "Set-Cookie: s=swordfish"),
                request -> json(secrets("swordfish2", 2), "Set-Cookie: s=swordfish2"));
        try (RawClient client = client()) {
            client.get("/a?access_token=swordfish");
        }
        awaitComparisons(1);
        String counts = admin(VIEWER, "GET", "/mirrors").body();
        assertThat(counts)
                .contains("$.password", "$.accessToken", "$.link", "set-cookie", "\"count\":1")
                .doesNotContain("examples");
        assertThat(admin(VIEWER, "GET", "/mirrors/examples").status()).isEqualTo(403);
        assertThat(admin(VIEWER, "POST", "/mirrors/reset").status()).isEqualTo(403);
        assertThat(admin(RECORDER, "GET", "/mirrors/examples").body())
                .contains("\"primary\":\"1\"", "***", "http://***@a/?token=***")
                .doesNotContain("swordfish");

        assertThat(run(VIEWER, "mirror")).contains("api to v2", "1 x json $.b", "compared: 1 different");
        assertThat(run(RECORDER, "mirror", "--examples", "--route", "api")).contains("1 -> 2");
        assertThat(run(DEPLOY, "mirror", "--reset")).doesNotContain("$.b");
        assertThat(admin(VIEWER, "GET", "/mirrors").body()).doesNotContain("$.b");
        assertThat(admin(VIEWER, "GET", "/metrics").body())
                .contains(
                        "lychgate_mirror_requests_total{outcome=\"response\",route=\"api\",upstream=\"v2\"} 1.0",
                        "lychgate_mirror_differences_total{kind=\"json\",route=\"api\",upstream=\"v2\"} 6.0",
                        "lychgate_mirror_comparisons_total{result=\"different\",route=\"api\",upstream=\"v2\"} 1.0",
                        "lychgate_mirror_seconds_count{route=\"api\",upstream=\"v2\"} 1")
                .contains("lychgate_requests_total{error=\"none\",route=\"api\",side=\"none\",status=\"2xx\"} 1.0");
    }

    private static String secrets(String secret, int b) {
        return "{\"password\":\"%1$s\",\"accessToken\":\"%1$s\",\"clientSecret\":\"%1$s\",\"apiKey\":\"%1$s\","
                        .formatted(secret)
                + "\"link\":\"http://me:%1$s@a/?token=%1$s&b=%2$d\",\"b\":%2$d}".formatted(secret, b);
    }

    @Test
    void ignoresTheCookieOfTheGatewayAndForgetsMirrorsThatAReloadRemoved() throws Exception {
        start("{ headers: [set-cookie] }", request -> json("{}"), request -> json("{}"));
        Path file = home.resolve("gateway.yml");
        String before = Files.readString(file);
        Files.writeString(
                file, before.replaceFirst("v1: \\{", "v1: { persistence: { cookie: lb, secret: 0123456789abcdef }, "));
        reload();
        try (RawClient client = client()) {
            assertThat(client.get("/a").has("set-cookie")).isTrue();
        }
        awaitComparisons(1);
        assertThat(examples().path("comparisons").toString()).contains("\"equal\":1");
        Files.writeString(file, before.replaceFirst(", mirror: .*", " }"));
        reload();
        assertThat(admin(VIEWER, "GET", "/mirrors").body()).contains("\"mirrors\":[]");
    }

    private void reload() throws Exception {
        assertThat(gateway.reloader().reload("test")).isInstanceOf(Generations.Outcome.Taken.class);
    }

    private String run(String token, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--admin", "127.0.0.1:" + gateway.gateway().adminPort()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = LychgateCommand.execute(
                new Surroundings(
                        new DataPlaneEngine(),
                        name -> name.equals("LYCHGATE_ADMIN_TOKEN") && !token.isEmpty() ? token : null,
                        new PrintWriter(out),
                        new PrintWriter(err),
                        thread -> {},
                        Signals.NONE),
                all.toArray(String[]::new));
        assertThat(code).as(err.toString()).isZero();
        return out.toString();
    }
}
