package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration, the fields and the metrics on the page about the cache. */
@Tag("slow")
class DocumentedCacheTest {
    private static final Path PAGE = Path.of("../docs/cache.md");

    @TempDir
    Path home = Path.of("");

    private final ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(
            switch (request.target().replaceFirst("[?].*", "")) {
                case "/private" -> Responses.of(200, "p", "Cache-Control: private");
                case "/old" ->
                    request.has("if-none-match")
                            ? Responses.head(304, "Cache-Control: max-age=600", "ETag: \"1\"") + "\r\n"
                            : Responses.of(
                                    200, "o", "Cache-Control: max-age=60, must-revalidate", "Age: 100", "ETag: \"1\"");
                default -> Responses.of(200, "x");
            }));

    @SuppressWarnings("NullAway.Init") // start() creates it
    private FileGateway<Lychgate> gateway;

    @BeforeEach
    void start() throws Exception {
        String yaml = block("yaml")
                .replaceAll("127.0.0.1:808[01]", "127.0.0.1:0")
                .replace("127.0.0.1:9000", "127.0.0.1:" + origin.port());
        gateway = FileGateway.start(
                Files.writeString(
                        home.resolve("gateway.yml"), yaml + "access-log: { file: \"" + home.resolve("log") + "\" }\n"),
                name -> null,
                Lychgate::start);
    }

    @AfterEach
    void end() {
        gateway.gateway().close();
        gateway.close();
        origin.close();
    }

    /** Returns the first block of the page in this language. */
    private static String block(String language) throws Exception {
        return block(language, 0);
    }

    /** Returns the block of the page with this index among those in its language. */
    private static String block(String language, int index) throws Exception {
        int left = index;
        Matcher block = Pattern.compile("(?m)^```(\\w*)\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE)
                .matcher(Files.readString(PAGE));
        while (block.find()) {
            if (block.group(1).equals(language) && left-- == 0) {
                return block.group(2);
            }
        }
        throw new AssertionError("no block in " + language);
    }

    private static RawMessage get(int port, String target, String tenant) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            return client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nX-Tenant: " + tenant + "\r\n\r\n")
                    .readResponse();
        }
    }

    private String status(String target, String tenant) throws Exception {
        return get(gateway.gateway().port("main"), target, tenant)
                .value("cache-status")
                .orElse("");
    }

    @Test
    void responsesReportThePartOfTheCacheAsShown() throws Exception {
        List<String> seen = new ArrayList<>();
        status("/a", "t");
        seen.add(status("/a", "t"));
        seen.add(status("/b", "t"));
        seen.add(status("/private", "t"));
        status("/old", "t");
        seen.add(status("/old", "t"));
        List<String> shown = block("").lines().toList();
        assertThat(seen).hasSize(shown.size());
        for (int i = 0; i < shown.size(); i++) {
            assertThat(seen.get(i).replaceFirst("ttl=-?\\d+", "ttl=N"))
                    .isEqualTo(shown.get(i).replaceFirst("ttl=-?\\d+", "ttl=N"));
        }
    }

    @Test
    void theConfigurationSelectsAsDescribed() throws Exception {
        status("/a?b=1&utm_source=x", "t");
        assertThat(status("/a?fbclid=y&b=1", "t")).matches("Lychgate; hit; ttl=(60|5\\d)");
        assertThat(status("/a?b=1", "u")).contains("fwd=uri-miss");
        assertThat(status("/a?b=2", "t")).contains("fwd=uri-miss");
    }

    private RawMessage admin(String method, String target) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().adminPort()))) {
            return client.send(method + ' ' + target
                            + " HTTP/1.1\r\nHost: localhost\r\nX-Lychgate-Admin: 1\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    private String run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--admin", "127.0.0.1:" + gateway.gateway().adminPort()));
        StringWriter out = new StringWriter();
        PrintWriter both = new PrintWriter(out);
        LychgateCommand.execute(
                new Surroundings(new DataPlaneEngine(), name -> null, both, both, thread -> {}, Signals.NONE),
                all.toArray(String[]::new));
        return out.toString();
    }

    private void store() throws Exception {
        for (String target : List.of("/a", "/img/1", "/img/2")) {
            status(target, "t");
        }
    }

    @Test
    void theCommandsPurgeAsDescribed() throws Exception {
        List<String> removed = new ArrayList<>();
        for (String command : block("sh").lines().toList()) {
            store();
            removed.add(run(command.replace("shop.example", "localhost")
                            .replaceFirst("^lychgate ", "")
                            .split(" ", -1))
                    .strip());
        }
        assertThat(removed)
                .containsExactly(
                        "removed 1 stored response",
                        "removed 2 stored responses",
                        "removed 0 stored responses",
                        "removed 3 stored responses");
        assertThat(run("purge")).contains("purge (expected: exactly one of URI, --prefix, --tag and --all)");
        assertThat(run("purge", "http://localhost/a", "--all")).contains("purge (expected: exactly one of");
        assertThat(run("purge", "/a")).contains("a URI that begins with http:// or https://");
    }

    @Test
    void theAdminListenerPurgesAsDescribed() throws Exception {
        List<String> removed = new ArrayList<>();
        for (String command : block("sh", 1).lines().toList()) {
            store();
            String url = command.substring(command.indexOf("http://127.0.0.1:8081/") + 21, command.lastIndexOf('"'));
            removed.add(admin("POST", url.replace("shop.example", "localhost"))
                    .body()
                    .replaceFirst("(?s).*\"removed\"\\s*:\\s*(\\d+).*", "$1"));
        }
        assertThat(removed).containsExactly("1", "2", "0", "3");
        assertThat(admin("POST", "/cache/purge?by=uri").status()).isEqualTo(400);
        assertThat(admin("POST", "/cache/purge?by=uri&value=/a").status()).isEqualTo(400);
        assertThat(admin("POST", "/cache/purge?by=all&value=x").status()).isEqualTo(400);
    }

    @Test
    void thePagesShowHitRatiosAndTheLargestResponses() throws Exception {
        status("/a", "t");
        status("/a", "t");
        // A request is counted after its response was sent.
        eventually(() -> assertThat(admin("GET", "/cache").body())
                .containsPattern("\"hit_ratio\"\\s*:\\s*0.5")
                .containsPattern("\"entries\"\\s*:\\s*1")
                .containsPattern("\"most_bytes\"\\s*:\\s*[1-9]"));
        assertThat(admin("GET", "/cache/entries").body()).contains("http://localhost/a");
    }

    @Test
    void theAccessLogContainsThePartOfTheCache() throws Exception {
        status("/a", "t");
        status("/a", "t");
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port("main")))) {
            client.send("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
        }
        List<String> parts = new ArrayList<>();
        eventually(() -> {
            parts.clear();
            Matcher part = Pattern.compile("\"cache\":\"([a-z]+)\"").matcher(Files.readString(home.resolve("log")));
            while (part.find()) {
                parts.add(part.group(1));
            }
            // The connections belong to two event loops, whose lines may be written in any order.
            assertThat(parts).containsExactlyInAnyOrder("miss", "hit", "bypass");
        });
    }

    @Test
    void explainsTheUseOfTheCache() throws Exception {
        String url = "http://shop.example/a?b=1";
        String unknown = run("explain", "GET", url, "-H", "x-tenant:t");
        assertThat(unknown).contains("  cache: key " + url + ", header:x-tenant=t; no response is stored");
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port("main")))) {
            client.send("GET /a?b=1 HTTP/1.1\r\nHost: shop.example\r\nX-Tenant: t\r\n\r\n")
                    .readResponse();
        }
        String sample = block("", 1);
        String first = sample.lines().findFirst().orElseThrow();
        assertThat(run("explain", "GET", url + "&utm_source=x", "-H", "x-tenant:t"))
                .containsPattern(Pattern.quote(first)
                        .replace("age 5 s", "age \\E\\d+\\Q s")
                        .replace("lifetime 55 s", "lifetime \\E\\d+\\Q s"));
        assertThat(run("explain", "POST", url)).contains(sample.lines().toList().get(1));
        assertThat(run("explain", "GET", url, "-H", "if-match:x"))
                .contains("  cache: not used: the request contains if-match");
        assertThat(run("explain", "GET", url, "-H", "cookie:a=b"))
                .contains("the response is stored only if it permits sharing: the request contains credentials");
        assertThat(run("explain", "HEAD", url)).contains("the response is not stored: the method is HEAD");
        assertThat(run("explain", "GET", url, "-H", "cache-control:no-store"))
                .contains("the response is not stored: the request contains no-store");
    }

    @Test
    void theMetricsCountRequestsAndStoredResponses() throws Exception {
        status("/a", "t");
        status("/a", "t");
        eventually(() -> assertThat(
                        get(gateway.gateway().adminPort(), "/metrics", "t").body())
                .contains(
                        "lychgate_cache_requests_total{outcome=\"hit\",route=\"shop\"} 1",
                        "lychgate_cache_requests_total{outcome=\"miss\",route=\"shop\"} 1",
                        "lychgate_cache_entries 1",
                        "lychgate_cache_evictions_total 0"));
    }
}
