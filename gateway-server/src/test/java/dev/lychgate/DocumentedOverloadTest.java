package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.server.terminal.OverloadText;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration, the filter and the output of the command on the page about overload. */
@Tag("slow")
class DocumentedOverloadTest {
    private static final Path PAGE = Path.of("../docs/overload.md");
    /** Free, gold and others may use these places of the 20, with a reserve of 10 %. */
    private static final int FREE = 18;

    private static final int OTHERS = 19;
    private static final int GOLD = 20;

    @TempDir
    Path home = Path.of("");

    private final Gate gate = new Gate();
    private final ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
        if (r.target().startsWith("/catalog/")) {
            c.send(Responses.of(200, "stored", "Cache-Control: max-age=60", "Age: 100", "ETag: \"1\""));
            return;
        }
        gate.await(Duration.ofMinutes(1));
        c.send(Responses.ok("x"));
    });
    private final List<RawClient> clients = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // each test starts it
    private FileGateway<Lychgate> gateway;

    @AfterEach
    void end() throws Exception {
        gate.open();
        for (RawClient client : clients) {
            client.close();
        }
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

    /** Starts the documented gateway with one loop, a shorter time to the brown-out, and these times to the next rungs. */
    private void start(String stale, String page) throws Exception {
        Path filter = home.resolve("filters/inbound/Recommendations.groovy");
        Files.createDirectories(filter.getParent());
        Files.writeString(filter, block("// filters/inbound/Recommendations.groovy"));
        String here = block("listeners:")
                .replaceAll("127.0.0.1:808[01]", "127.0.0.1:0")
                .replace("127.0.0.1:9000", "127.0.0.1:" + origin.port())
                .replace("brownout: 1s", "brownout: 200ms")
                .replace("after: 3s", "after: " + stale)
                .replace("after: 5s", "after: " + page);
        gateway = FileGateway.start(
                Files.writeString(home.resolve("gateway.yml"), here + "access-log: { format: off }\nworkers: 1\n"),
                name -> null,
                Lychgate::start);
    }

    private RawClient client() throws Exception {
        RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().port("main")));
        clients.add(client);
        return client;
    }

    private static RawClient send(RawClient client, String target, String tier) throws Exception {
        return client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n"
                + (tier.isEmpty() ? "" : "X-Tier: " + tier + "\r\n") + "\r\n");
    }

    private void occupy(String tier, int places) throws Exception {
        for (int used = origin.requestsSeen(); used < places; used++) {
            send(client(), "/", tier);
        }
        origin.awaitRequests(places);
    }

    private String command() throws Exception {
        try (RawClient admin = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway.gateway().adminPort()))) {
            RawMessage page = admin.send("GET /overload HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse();
            return String.join("\n", OverloadText.lines(JsonValue.of(page.body()))) + "\n";
        }
    }

    private static String withoutFigures(String text) {
        return text.replaceAll("for [0-9.]+ s", "for N s").replaceAll("shed \\d+", "shed N");
    }

    @Test
    void tiersUseThePartsOfTheBulkheadAsDescribed() throws Exception {
        start("3s", "5s");
        RawClient refused = client();
        occupy("free", FREE);
        assertThat(send(refused, "/", "free").readResponse().status()).isEqualTo(503);
        occupy("", OTHERS);
        assertThat(send(refused, "/", "").readResponse().status()).isEqualTo(503);
        occupy("gold", GOLD);
        RawMessage problem = send(refused, "/", "gold").readResponse();
        assertThat(problem.status()).isEqualTo(503);
        assertThat(problem.body()).contains("bulkhead-full");
    }

    @Test
    void theFilterAndTheCommandReactToContinuousShedding() throws Exception {
        start("1h", "1h");
        RawClient client = client();
        occupy("free", FREE);
        eventually(() -> {
            assertThat(send(client, "/", "free").readResponse().status()).isEqualTo(503);
            assertThat(withoutFigures("$ lychgate overload\n" + command()))
                    .isEqualTo(withoutFigures(block("$ lychgate overload")));
        });
        assertThat(send(client, "/recommendations", "free").readResponse().body())
                .isEqualTo("[]");
    }

    @Test
    void requestsWithLowPriorityGetStaleResponses() throws Exception {
        start("200ms", "1h");
        RawClient client = client();
        assertThat(send(client, "/catalog/1", "").readResponse().body()).isEqualTo("stored");
        origin.awaitRequests(1);
        for (int used = 0; used < FREE; used++) {
            send(client(), "/", "free");
        }
        origin.awaitRequests(1 + FREE);
        RawMessage inPlaceOfAnError = send(client, "/catalog/1", "free").readResponse();
        assertThat(inPlaceOfAnError.status()).isEqualTo(200);
        assertThat(inPlaceOfAnError.value("cache-status").orElse("")).endsWith("; detail=overload");
        eventually(() -> {
            assertThat(send(client, "/", "free").readResponse().status()).isEqualTo(503);
            assertThat(command()).contains("  > stale     reached 1 time");
        });
        int before = origin.requestsSeen();
        // The priority 5 of the route is below 7.
        RawMessage stale = send(client, "/catalog/1", "").readResponse();
        assertThat(stale.body()).isEqualTo("stored");
        assertThat(stale.value("cache-status").orElse("")).matches("Lychgate; hit; ttl=-\\d+; detail=overload");
        assertThat(origin.requestsSeen()).isEqualTo(before);
        assertThat(send(client, "/catalog/1", "gold")
                        .readResponse()
                        .value("cache-status")
                        .orElse(""))
                .startsWith("Lychgate; fwd=stale");
    }

    @Test
    void shedRequestsGetTheFixedPage() throws Exception {
        start("200ms", "200ms");
        RawClient client = client();
        occupy("free", FREE);
        eventually(() -> {
            RawMessage shed = send(client, "/", "free").readResponse();
            assertThat(shed.status()).isEqualTo(503);
            assertThat(shed.body()).isEqualTo("<h1>Please try again in a minute.</h1>");
            assertThat(shed.value("content-type")).contains("text/html");
        });
        assertThat(command()).contains("  > page      reached 1 time");
        assertThat(send(client, "/recommendations", "free").readResponse().body())
                .isEqualTo("[]");
    }
}
