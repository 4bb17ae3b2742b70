package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard of a running gateway with traffic, in a real browser. */
abstract class DashboardInBrowser {
    static final List<String> VIEWS = List.of(
            "Overview",
            "Traffic",
            "Topology",
            "Filters",
            "Generations",
            "Rollout",
            "Mirrors",
            "Faults",
            "History",
            "Breakers and pools",
            "Exchanges",
            "Try a request");
    static final String LOOPBACK = "127.0.0.1:";

    @TempDir
    private static Path profile = Path.of("");

    private static @Nullable Chromium browser;

    @TempDir
    Path home = Path.of("");

    final ScriptedOrigin first = origin("first");
    final ScriptedOrigin second = origin("second");
    private @Nullable FileGateway<Lychgate> files;
    private @Nullable BrowserPage page;
    private volatile boolean loaded = true;
    private @Nullable Thread load;

    private static ScriptedOrigin origin(String name) {
        return ScriptedOrigin.answering((request, connection) ->
                connection.send(Responses.of(request.target().equals("/flaky") ? 503 : 200, name)));
    }

    @BeforeAll
    static void startBrowser() throws Exception {
        Optional<String> command = Chromium.command();
        assumeTrue(command.isPresent(), "there is no chromium on the PATH to show the dashboard in");
        browser = Chromium.start(command.orElseThrow(), profile);
    }

    @AfterAll
    static void endBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void startGateway() throws Exception {
        Path filters = Files.createDirectories(home.resolve("filters/outbound"));
        Files.writeString(filters.resolve("stamp.groovy"), "filter { it.response.headers['x-stamp'] = '1' }\n");
        Files.writeString(
                filters.resolve("guard.groovy"), "failClosed()\nfilter { it.response.headers['x-guard'] = 'yes' }\n");
        configure("/orders/**", "");
        files = FileGateway.start(home.resolve("gateway.yml"), name -> null, Lychgate::start);
        if (isLoaded()) {
            load = new Thread(this::load, "load");
            load.start();
        }
    }

    /** Ends the requests. */
    final void stopLoad() throws InterruptedException {
        loaded = false;
        if (load != null) {
            load.join();
        }
    }

    @AfterEach
    void end() throws Exception {
        stopLoad();
        if (page != null) {
            page.close();
        }
        if (files != null) {
            files.gateway().close();
            files.close();
        }
        first.close();
        second.close();
    }

    /** @param admin further settings of the admin listener, after a comma */
    void configure(String orders, String admin) throws IOException {
        Files.writeString(
                home.resolve("gateway.yml"), """
                listeners:
                  - { name: main, address: "127.0.0.1:0", limits: { connections: 16 } }
                admin: { address: "127.0.0.1:0"%s }
                filters:
                  directory: filters
                  global: [{ request-id: {} }]
                routes:
                  - { id: orders, match: { path: "%s" }, upstream: orders }
                  - { id: catalogue, match: { path: "/catalogue/**" }, upstream: catalogue }
                  - { id: beta, match: { path: "/catalogue/**", headers: { x-beta: "yes" } }, upstream: orders }
                  - { id: home, match: { path: "/" }, respond: { body: "welcome" } }
                  - { id: flaky, match: { path: "/flaky" }, upstream: orders, retry: { attempts: 2, on: ["503"] } }
                  - { id: moved, match: { path: "/old/**" }, redirect: { status: 308, location: "/" } }
                upstreams:
                  orders:
                    endpoints:
                      - { url: "http://127.0.0.1:%d", weight: 2 }
                      - "http://127.0.0.1:%d"
                    breaker: { minimum: 100000 }
                    bulkhead: { concurrent: 100 }
                  catalogue:
                    endpoints: ["http://127.0.0.1:%d"]
                    health: { active: { path: /health, interval: 1s } }
                access-log: { format: off }
                """.formatted(admin, orders, first.port(), second.port(), second.port()));
    }

    /** Returns whether requests are sent from the start of the gateway on. */
    boolean isLoaded() {
        return true;
    }

    /** Returns the milliseconds between two requests. */
    int pause() {
        return 5;
    }

    /** Sends all kinds of requests until it is stopped. The gateway may be closed before. */
    private void load() {
        List<String> targets =
                List.of("/orders/1", "/catalogue/shoes", "/", "/orders/2", "/flaky", "/catalogue/hats", "/nowhere");
        try (RawClient client = RawClient.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), gateway().port("main")))) {
            for (int i = 0; loaded; i++) {
                client.get(targets.get(i % targets.size()));
                Thread.sleep(pause());
            }
        } catch (IOException | InterruptedException | AssertionError e) {
            assertThat(e).isNotNull(); // the gateway was closed during the request
        }
    }

    /** Stops the watch of files: only a reload reads them. */
    final void stopFollowing() {
        assertThat(files).isNotNull();
        files.stopFollowing();
    }

    final FileGateway<Lychgate> files() {
        assertThat(files).isNotNull();
        return files;
    }

    final Lychgate gateway() {
        assertThat(files).isNotNull();
        return files.gateway();
    }

    final String admin() {
        return "http://127.0.0.1:" + gateway().adminPort();
    }

    final BrowserPage open() throws Exception {
        assertThat(browser).isNotNull();
        page = browser.open("about:blank").prefers("light").go(admin() + "/dashboard");
        return page.awaitText("header", "generation 1");
    }

    final void hasAskedForNothingElseAndNothingWentWrong(BrowserPage shown) {
        assertThat(shown.complaints()).isEmpty();
        hasAskedForNothingElse(shown);
    }

    /** The browser itself complains of the 503 of a gateway without a history. */
    final void hasAskedForNothingElseAndOnlyTheHistoryIsMissing(BrowserPage shown) {
        assertThat(shown.complaints())
                .allMatch(complaint -> complaint.contains("/history?") && complaint.contains("503"));
        hasAskedForNothingElse(shown);
    }

    private void hasAskedForNothingElse(BrowserPage shown) {
        assertThat(shown.asked())
                .hasSizeGreaterThan(VIEWS.size())
                .allMatch(url -> url.startsWith(admin() + "/") || url.equals("about:blank"));
    }

    final String orders() {
        return LOOPBACK + first.port();
    }
}
