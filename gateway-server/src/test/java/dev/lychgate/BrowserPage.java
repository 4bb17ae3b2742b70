package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lychgate.testing.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One page of a browser: its content, its input, its requests and its errors. */
final class BrowserPage implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Chromium browser;
    private final String target;
    private final String session;
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private volatile Function<String, @Nullable String> fixtures = url -> null;

    BrowserPage(Chromium browser, String target, String session) {
        this.browser = browser;
        this.target = target;
        this.session = session;
        browser.onEvent(this::hear);
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            await(domain + ".enable", Map.of());
        }
        // Otherwise the page has the focus only some time after its window has it, and no rule of :focus applies until
        // then.
        await("Emulation.setFocusEmulationEnabled", Map.of("enabled", true));
    }

    private JsonNode await(String method, Map<String, ?> parameters) {
        return browser.await(session, method, parameters);
    }

    private void hear(JsonNode event) {
        if (!event.path("sessionId").asText().equals(session)) {
            return;
        }
        JsonNode about = event.path("params");
        switch (event.path("method").asText()) {
            case "Network.requestWillBeSent" ->
                asked.add(about.at("/request/url").asText());
            case "Runtime.exceptionThrown" -> complaints.add(about.toString());
            case "Runtime.consoleAPICalled" -> complaints.add(about.toString());
            case "Log.entryAdded" -> complaints.add(about.path("entry").toString());
            case "Fetch.requestPaused" -> answer(about);
            default -> {}
        }
    }

    private void answer(JsonNode paused) {
        String id = paused.path("requestId").asText();
        String body = fixtures.apply(paused.at("/request/url").asText());
        if (body == null) {
            browser.ask(session, "Fetch.continueRequest", Map.of("requestId", id));
            return;
        }
        List<Map<String, String>> fields = List.of(Map.of("name", "content-type", "value", "application/json"));
        String encoded = Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8));
        browser.ask(
                session,
                "Fetch.fulfillRequest",
                Map.of("requestId", id, "responseCode", 200, "responseHeaders", fields, "body", encoded));
    }

    /**
     * Responds to some requests in place of the gateway.
     *
     * @param answers JSON by URL; null = the gateway responds
     */
    BrowserPage answering(Function<String, @Nullable String> answers) {
        fixtures = answers;
        await("Fetch.enable", Map.of("patterns", List.of(Map.of("urlPattern", "*"))));
        return this;
    }

    BrowserPage go(String url) {
        await("Page.navigate", Map.of("url", url));
        return this;
    }

    /** Returns the value of an expression, after its promise is settled. */
    JsonNode evaluate(String expression) {
        JsonNode outcome = await(
                "Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        assertThat(outcome.has("exceptionDetails"))
                .as(expression + ": " + outcome)
                .isFalse();
        return outcome.at("/result/value");
    }

    String text(String selector) {
        return evaluate("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''")
                .asText();
    }

    /** Waits until the part of the page that {@code selector} names contains all of {@code words}. */
    BrowserPage awaitText(String selector, String... words) throws Exception {
        Eventually.eventually(PATIENCE, () -> assertThat(text(selector)).contains(words));
        return this;
    }

    /** Waits until an expression is true. */
    BrowserPage awaitThat(String expression) throws Exception {
        Eventually.eventually(
                PATIENCE,
                () -> assertThat(evaluate(expression).asBoolean())
                        .as(expression)
                        .isTrue());
        return this;
    }

    /** Presses the button or link that begins with {@code word}; in the smallest row, dialog or other part with {@code within}. */
    BrowserPage press(String word, String within) throws Exception {
        String found = "[...document.querySelectorAll('tr, dialog[open], form, header, p, section, .notice')]"
                + ".filter(one => one.innerText.includes(" + quoted(within) + "))"
                + ".sort((one, other) => one.innerText.length - other.innerText.length)"
                + ".flatMap(one => [...one.querySelectorAll('button, a')])"
                + ".find(one => one.innerText.trim().startsWith(" + quoted(word) + "))";
        awaitThat("Boolean(" + found + ")");
        evaluate(found + ".click()");
        return this;
    }

    /** Opens a view by its tab. */
    BrowserPage view(String title) throws Exception {
        evaluate("[...document.querySelectorAll('nav a')].find(a => a.innerText.trim() === " + quoted(title)
                + ").click()");
        return awaitText("h1", title).awaitText("nav a[aria-current=page]", title);
    }

    /** Types into the field of that name. */
    BrowserPage fill(String name, String value) {
        evaluate(
                "{ const field = document.querySelector('main [name=" + name + "], dialog [name=" + name + "]');"
                        + " field.value = " + quoted(value) + ";"
                        + " for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true })); }");
        return this;
    }

    /** Navigates back, like the button of the browser. */
    BrowserPage back() {
        evaluate("history.back()");
        return this;
    }

    /** Presses a key of the keyboard: Tab, Enter, Escape. */
    BrowserPage key(String name) {
        int code = Map.of("Tab", 9, "Enter", 13, "Escape", 27).getOrDefault(name, 0);
        String text = name.equals("Enter") ? "\r" : "";
        for (String type : List.of("keyDown", "keyUp")) {
            await(
                    "Input.dispatchKeyEvent",
                    Map.of("type", type, "key", name, "code", name, "windowsVirtualKeyCode", code, "text", text));
        }
        return this;
    }

    BrowserPage size(int width, int height) {
        await(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
        return this;
    }

    /** @param scheme {@code light} or {@code dark} */
    BrowserPage prefers(String scheme) {
        await(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", scheme),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
        return this;
    }

    void picture(Path file) throws Exception {
        byte[] png = Base64.getDecoder()
                .decode(await("Page.captureScreenshot", Map.of("format", "png"))
                        .path("data")
                        .asText());
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, png);
    }

    /** Returns the requested URLs, except data URLs. */
    List<String> asked() {
        return asked.stream().filter(url -> !url.startsWith("data:")).toList();
    }

    /** Returns the console of the browser: errors, warnings, violations of the policy, failed requests. */
    List<String> complaints() {
        return complaints;
    }

    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    @Override
    public void close() {
        browser.await("", "Target.closeTarget", Map.of("targetId", target));
    }
}
