package dev.lychgate;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Draws the pictures of docs/debugging.md: each fault, as the dashboard shows it. */
@EnabledIfSystemProperty(
        named = "dashboard.pictures",
        matches = ".+",
        disabledReason = "pictures for the docs are made if a directory is set")
class DebuggingPicturesTest {
    private static final Pictures PICTURES = new Pictures("debugging");

    @TempDir
    Path home = Path.of("");

    @TempDir
    Path profile = Path.of("");

    @SuppressWarnings("NullAway.Init") // by begin
    private FaultyGateway faulty;

    @SuppressWarnings("NullAway.Init") // by begin
    private Chromium browser;

    @SuppressWarnings("NullAway.Init") // by begin
    DebuggingPicturesTest() {}

    @BeforeEach
    void begin() throws Exception {
        Optional<String> command = Chromium.command();
        assumeTrue(command.isPresent(), "there is no chromium on the PATH to show the dashboard in");
        browser = Chromium.start(command.orElseThrow(), profile);
        faulty = FaultyGateway.start(home);
    }

    @AfterEach
    void end() {
        faulty.close();
        browser.close();
    }

    private BrowserPage open(String view) throws Exception {
        return browser.open("about:blank")
                .prefers("light")
                .size(1280, 860)
                .go("http://127.0.0.1:" + faulty.gateway().adminPort() + "/dashboard")
                .awaitText("header", "generation")
                .view(view);
    }

    @Test
    void oneEndpointFails() throws Exception {
        faulty.ask("/x", 12);
        BrowserPage shown = open("Exchanges").awaitText("main", "127.0.0.1:" + faulty.broken.port());
        shown.evaluate("{ const select = document.querySelector('main select'); select.value = 'failed';"
                + " select.dispatchEvent(new Event('change')); }");
        shown.awaitThat("[...document.querySelectorAll('tbody tr')].every(row => row.innerText.includes('failed'))");
        PICTURES.light(shown, "endpoint");
    }

    @Test
    void theOriginIsSlow() throws Exception {
        faulty.ask("/x", 3);
        Thread caller = faulty.aside("/reports/a");
        faulty.slow.awaitRequests(1);
        Thread.sleep(1200);
        faulty.gate.open();
        caller.join();
        PICTURES.light(story(open("Exchanges"), "GET /reports/a"), "slow");
    }

    @Test
    void thePoolIsTooSmall() throws Exception {
        Thread first = faulty.aside("/reports/a");
        faulty.slow.awaitRequests(1);
        Thread second = faulty.aside("/reports/b");
        BrowserPage shown = open("Breakers and pools");
        shown.awaitThat(
                "[...document.querySelectorAll('tbody tr')].some(row => /reports[^]*▲ *1/.test(row.innerText))");
        PICTURES.light(shown, "waiting");
        faulty.gate.open();
        first.join();
        second.join();
        PICTURES.light(story(shown.view("Exchanges"), "GET /reports/b"), "pool");
    }

    @Test
    void aFilterHoldsTheLoop() throws Exception {
        BrowserPage shown = open("Filters");
        eventually(() -> {
            faulty.ask("/ponder", 1);
            assertThat(shown.text("main")).contains("ponder", "ejected");
        });
        PICTURES.light(shown, "filter");
    }

    @Test
    void anotherRouteMatches() throws Exception {
        BrowserPage shown = open("Try a request")
                .fill("url", "/shop/cart")
                .fill("headers", "x-beta: yes")
                .press("Try", "Method");
        PICTURES.light(shown.awaitText("#outcome", "Route beta", "behind"), "route");
    }

    private static BrowserPage story(BrowserPage shown, String request) throws Exception {
        return shown.press(request, request).awaitText("#story", request, "Time line");
    }
}
