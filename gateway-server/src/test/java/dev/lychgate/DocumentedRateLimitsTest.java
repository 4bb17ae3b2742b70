package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.RateLimitsText;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration, the filter, the fields and the output of commands on the page about rate limits. */
@Tag("slow")
class DocumentedRateLimitsTest {
    private static final Path PAGE = Path.of("../docs/rate-limits.md");

    @TempDir
    Path home = Path.of("");

    private final ScriptedOrigin origin =
            ScriptedOrigin.answering((r, c) -> c.send(Responses.of(200, "x", "x-tokens: 60")));

    @SuppressWarnings("NullAway.Init") // each test starts it
    private FileGateway<Lychgate> gateway;

    @AfterEach
    void end() {
        gateway.gateway().close();
        gateway.close();
        origin.close();
    }

    /** Returns the first block of the page that begins with this text, without its fences. */
    private static String block(String begin) throws Exception {
        Matcher block = Pattern.compile("```\\w*\n(" + Pattern.quote(begin) + ".*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE));
        assertThat(block.find()).as(begin).isTrue();
        return block.group(1);
    }

    private void start(String yaml) throws Exception {
        String here = yaml.replaceAll("127.0.0.1:808[01]", "127.0.0.1:0")
                .replace("127.0.0.1:9000", "127.0.0.1:" + origin.port());
        gateway = FileGateway.start(
                Files.writeString(home.resolve("gateway.yml"), here + "access-log: { format: off }\n"),
                name -> null,
                Lychgate::start);
    }

    private static RawMessage get(int port, String target, String... fields) throws Exception {
        try (RawClient client = RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            StringBuilder request = new StringBuilder("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n");
            for (String field : fields) {
                request.append(field).append("\r\n");
            }
            return client.send(request + "\r\n").readResponse();
        }
    }

    private RawMessage send(String target) throws Exception {
        return get(gateway.gateway().port("main"), target, "x-tenant: acme");
    }

    private List<String> command(String page) throws Exception {
        return RateLimitsText.lines(
                JsonValue.of(get(gateway.gateway().adminPort(), page).body()));
    }

    @Test
    void theConfigurationAdmitsAnnouncesAndCountsAsDescribed() throws Exception {
        start(block("listeners:"));
        RawMessage first = send("/");
        for (String line : block("RateLimit-Policy:").lines().toList()) {
            int colon = line.indexOf(':');
            assertThat(first.values(line.substring(0, colon))).contains(line.substring(colon + 2));
        }
        gateway.gateway().close();
        gateway.close();

        start(block("listeners:"));
        for (int i = 0; i < 40; i++) {
            assertThat(send("/search/x").status()).isEqualTo(200);
        }
        List<String> printed = new ArrayList<>(List.of("$ lychgate limits"));
        printed.addAll(command("/rate-limits"));
        printed.add("$ lychgate limits --keys");
        printed.addAll(command("/rate-limits/keys"));
        // The bucket of the flood is full again after less than half a second.
        printed.replaceAll(line -> line.replace("limit 0, keys in use 0", "limit 0, keys in use 1"));
        assertThat(printed).isEqualTo(block("$ lychgate limits").lines().toList());
    }

    @Test
    void theFilterSetsTheCost() throws Exception {
        Path filter = home.resolve("filters/outbound/Tokens.groovy");
        Files.createDirectories(filter.getParent());
        Files.writeString(filter, block("// filters/outbound/Tokens.groovy"));
        start("""
                listeners: [{ name: main, address: "127.0.0.1:8080" }]
                admin: { address: "127.0.0.1:8081" }
                filters: { directory: filters }
                rate-limits: { tokens: { limit: 100/d, unit: cost } }
                routes: [{ id: all, rate-limit: tokens, upstream: api }]
                upstreams: { api: { endpoints: ["http://127.0.0.1:9000"] } }
                """);
        // On one connection: the cost is counted after the response was sent, but before the next request is read.
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port("main")))) {
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(client.get("/").status()).isEqualTo(200);
            RawMessage refused = client.get("/");
            assertThat(refused.status()).isEqualTo(429);
            // 120 tokens of 100: a fifth of a day.
            assertThat(Integer.parseInt(refused.value("retry-after").orElseThrow()))
                    .isBetween(17_200, 17_281);
        }
    }
}
