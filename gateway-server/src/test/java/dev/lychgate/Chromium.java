package dev.lychgate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The distribution's Chromium, headless, driven by its DevTools protocol. It sends no requests beyond this machine.
 *
 * @see <a href="https://chromedevtools.github.io/devtools-protocol/">Chrome DevTools Protocol</a>
 */
final class Chromium implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Long enough for a busy machine. */
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
            "--hide-scrollbars",
            "--remote-debugging-port=0",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
            "about:blank");

    private final Process process;
    private final WebSocket socket;
    private final ExecutorService sending = Executors.newSingleThreadExecutor();
    private final AtomicInteger number = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<Consumer<JsonNode>> listeners = new CopyOnWriteArrayList<>();

    private Chromium(Process process, URI devTools) {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .connectTimeout(PATIENCE)
                .buildAsync(devTools, new Messages())
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /** Returns the command that starts it; empty if none works. On Ubuntu it may only print how to install one. */
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
            return new Chromium(process, devTools(process, profile));
        } catch (RuntimeException | Error e) {
            end(process);
            throw e;
        }
    }

    /** Returns the address of the browser, which writes port and path into a file of its profile. */
    private static URI devTools(Process process, Path profile) throws Exception {
        Path file = profile.resolve("DevToolsActivePort");
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0 && process.isAlive()) {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() == 2) {
                return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
            }
            Thread.sleep(20);
        }
        throw new IllegalStateException("it does not start:\n" + Files.readString(profile.resolve("output.log")));
    }

    /** Registers a listener for all events. It runs on a thread of the connection and must not block. */
    void onEvent(Consumer<JsonNode> listener) {
        listeners.add(listener);
    }

    /**
     * Sends a command.
     *
     * @param session of a page; empty for the browser itself
     */
    CompletableFuture<JsonNode> ask(String session, String method, Map<String, ?> parameters) {
        int id = number.incrementAndGet();
        CompletableFuture<JsonNode> response = new CompletableFuture<>();
        asked.put(id, response);
        var message = JSON.createObjectNode().put("id", id).put("method", method);
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        message.set("params", JSON.valueToTree(parameters));
        sending.execute(() -> socket.sendText(message.toString(), true).join());
        return response;
    }

    JsonNode await(String session, String method, Map<String, ?> parameters) {
        return ask(session, method, parameters)
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /**
     * Opens a new page.
     *
     * @param url the address to open
     */
    BrowserPage open(String url) {
        String target = await("", "Target.createTarget", Map.of("url", "about:blank"))
                .path("targetId")
                .asText();
        String session = await("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .path("sessionId")
                .asText();
        return new BrowserPage(this, target, session).go(url);
    }

    @Override
    public void close() {
        ask("", "Browser.close", Map.of());
        end(process);
        sending.shutdownNow();
    }

    /** Ends the browser. Its profile can be deleted afterwards. */
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
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                hear(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }

        private void hear(String whole) {
            JsonNode message;
            try {
                message = JSON.readTree(whole);
            } catch (IOException e) {
                throw new IllegalStateException(whole, e);
            }
            CompletableFuture<JsonNode> waiting =
                    asked.remove(message.path("id").asInt());
            if (waiting == null) {
                listeners.forEach(listener -> listener.accept(message));
            } else if (message.has("error")) {
                waiting.completeExceptionally(
                        new IllegalStateException(message.path("error").toString()));
            } else {
                waiting.complete(message.path("result"));
            }
        }
    }
}
