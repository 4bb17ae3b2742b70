package dev.lychgate.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.http.Json;
import dev.lychgate.testing.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One page of the distribution's Chromium, headless, driven by its DevTools protocol. It accepts certificates of unknown
 * authorities, and sends no requests beyond this machine.
 *
 * @see <a href="https://chromedevtools.github.io/devtools-protocol/">Chrome DevTools Protocol</a>
 */
final class Chromium implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final List<String> FLAGS = List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-sync",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-default-apps",
            "--ignore-certificate-errors",
            "--remote-debugging-port=0",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
            "about:blank");

    private final Process process;
    private final WebSocket socket;
    private final String session;
    private final AtomicLong number = new AtomicLong();
    private final Map<Long, CompletableFuture<Map<?, ?>>> asked = new ConcurrentHashMap<>();

    private Chromium(Process process, URI devTools) {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(devTools, new Messages())
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        Object target =
                await("", "Target.createTarget", Map.of("url", "about:blank")).get("targetId");
        this.session = String.valueOf(
                await("", "Target.attachToTarget", Map.of("targetId", String.valueOf(target), "flatten", true))
                        .get("sessionId"));
    }

    /** Returns the command that starts it; empty if none works. */
    static Optional<String> command() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .filter(Chromium::works)
                .findFirst();
    }

    private static boolean works(String command) {
        try {
            Process version = new ProcessBuilder(command, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return version.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) && version.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param profile an empty directory, which the browser fills */
    static Chromium start(String command, Path profile) throws Exception {
        List<String> line = new ArrayList<>(List.of(command, "--user-data-dir=" + profile));
        line.addAll(FLAGS);
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("output.log").toFile())
                .start();
        try {
            Path file = profile.resolve("DevToolsActivePort");
            Eventually.eventually(PATIENCE, () -> {
                assertThat(process.isAlive()).isTrue();
                assertThat(Files.readAllLines(file)).hasSize(2);
            });
            List<String> lines = Files.readAllLines(file);
            return new Chromium(process, URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1)));
        } catch (Exception | Error e) {
            end(process);
            throw e;
        }
    }

    private Map<?, ?> await(String of, String method, Map<String, ?> parameters) {
        long id = number.incrementAndGet();
        CompletableFuture<Map<?, ?>> response = new CompletableFuture<>();
        asked.put(id, response);
        Map<String, Object> message = new LinkedHashMap<>(Map.of("id", id, "method", method, "params", parameters));
        if (!of.isEmpty()) {
            message.put("sessionId", of);
        }
        socket.sendText(Json.write(message), true).join();
        return response.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    Chromium open(String url) {
        await(session, "Page.navigate", Map.of("url", url));
        return this;
    }

    /** Returns the value of an expression, after its promise is settled; an empty text without a page. */
    String evaluate(String expression) {
        Map<?, ?> outcome = await(
                session,
                "Runtime.evaluate",
                Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        return outcome.get("result") instanceof Map<?, ?> result && result.get("value") != null
                ? String.valueOf(result.get("value"))
                : "";
    }

    /** Waits until the page has this address and text. */
    Chromium awaitPage(String url, String text) throws Exception {
        Eventually.eventually(PATIENCE, () -> {
            String body = evaluate("document.body.innerText");
            assertThat(evaluate("location.href")).as(body).startsWith(url);
            assertThat(body).contains(text);
        });
        return this;
    }

    Chromium press(String selector) {
        evaluate("document.querySelector('" + selector + "').click()");
        return this;
    }

    @Override
    public void close() {
        socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true);
        end(process);
    }

    private static void end(Process process) {
        List<ProcessHandle> all = process.descendants().toList();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(one -> one.onExit().orTimeout(20, TimeUnit.SECONDS).join());
    }

    private final class Messages implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last && Json.read(text.toString()) instanceof Map<?, ?> message) {
                text.setLength(0);
                CompletableFuture<Map<?, ?>> waiting = message.get("id") instanceof Long id ? asked.remove(id) : null;
                if (waiting != null && message.get("result") instanceof Map<?, ?> result) {
                    waiting.complete(result);
                } else if (waiting != null) {
                    waiting.completeExceptionally(new IllegalStateException(String.valueOf(message.get("error"))));
                }
            }
            from.request(1);
            return null;
        }
    }
}
