package dev.lychgate.server.discovery;

import dev.lychgate.config.ConfigException;
import dev.lychgate.discovery.EndpointSource;
import dev.lychgate.server.push.BackOff;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.SourceQuestion;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads services from Kubernetes: lists the EndpointSlices of a service, and then watches them for changes. A watch
 * continues at the version of the last event or bookmark. After the status 410 (Gone), the source lists the slices
 * again.
 *
 * @see <a
 *     href="https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes">Watches</a>
 */
final class KubernetesSource implements EndpointSource {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final int GONE = 410;
    /**
     * The time after which the API server ends a watch, in seconds. The next watch uses the current token and a new
     * connection.
     */
    private static final int WATCH_SECONDS = 240;
    /**
     * The maximum time without an event on a watch, in nanoseconds. The API server sends bookmarks about once a minute.
     */
    private static final long SILENCE = Duration.ofSeconds(150).toNanos();

    /** If a watch lasts at most this long, in nanoseconds, the source makes a longer pause before the next watch. */
    private static final long SHORT = Duration.ofSeconds(10).toNanos();

    private static final long PROBE = Duration.ofSeconds(10).toNanos();
    private static final int PAGE = 500;

    private final KubernetesAccess access;
    private final SourceThread thread;
    private final SourceHttp http;
    private final Set<SliceWatch> watches = ConcurrentHashMap.newKeySet();

    /**
     * Creates the source, and reads the certificates of its TLS settings. May block.
     *
     * @throws ConfigException if a file is unusable
     */
    KubernetesSource(String name, KubernetesAccess access) {
        this.access = access;
        this.thread = new SourceThread(name);
        this.http = new SourceHttp(access.server(), thread);
    }

    @Override
    public Watch watch(SourceQuestion question, Listener listener) {
        SliceWatch watch = new SliceWatch(question, listener);
        watches.add(watch);
        thread.execute(watch);
        return watch;
    }

    @Override
    public void close() {
        watches.forEach(SliceWatch::close);
        thread.close();
    }

    /** The watch of one service. Except for {@link #close}, only the thread of the source uses it. */
    private final class SliceWatch implements Watch, Runnable {
        private final String slicesOfService;
        private final Listener listener;
        private final BackOff pauses = new BackOff(FIRST_PAUSE, LONGEST_PAUSE, Duration.ZERO);
        private final EndpointSlices slices;
        private @Nullable CompletableFuture<?> running;
        private String version = "";
        /** The number of the current watch. Events of earlier watches are ignored. */
        private int number;

        private long opened;
        private long lastEvent;
        private boolean reporting;
        private volatile boolean closed;

        SliceWatch(SourceQuestion question, Listener listener) {
            this.slices = new EndpointSlices(question.port());
            this.listener = listener;
            this.slicesOfService = "/apis/discovery.k8s.io/v1/namespaces/" + access.namespace()
                    + "/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3D" + question.service();
        }

        @Override
        public void run() {
            slices.clear();
            list("");
        }

        private void list(String next) {
            if (closed) {
                return;
            }
            try {
                CompletableFuture<SourceHttp.Page> sent = http.get(
                        slicesOfService + "&limit=" + PAGE + (next.isEmpty() ? "" : "&continue=" + next),
                        access.headers(),
                        Duration.ZERO);
                running = sent;
                sent.whenComplete(this::listed);
            } catch (IOException e) {
                failed("the token cannot be read: " + e.getMessage());
            }
        }

        private void listed(SourceHttp.@Nullable Page page, @Nullable Throwable failure) {
            if (closed) {
                return;
            }
            if (page == null) {
                // The status 410 (Gone) can also mean that the continuation token of a list has expired. The next list
                // begins at the first page.
                failed(String.valueOf(failure == null ? null : failure.getMessage()));
                return;
            }
            page.json().list("items").forEach(slices::put);
            JsonValue metadata = page.json().get("metadata");
            String next = metadata.get("continue").raw();
            if (!next.isEmpty()) {
                list(URLEncoder.encode(next, StandardCharsets.UTF_8));
                return;
            }
            version = metadata.get("resourceVersion").raw();
            report();
            pauses.reset();
            open();
        }

        private void report() {
            try {
                listener.found(slices.endpoints());
            } catch (UnusableReportException e) {
                listener.failed(String.valueOf(e.getMessage()));
            }
        }

        private void open() {
            int mine = ++number;
            if (closed) {
                return;
            }
            try {
                opened = System.nanoTime();
                lastEvent = opened;
                CompletableFuture<Void> sent = http.stream(
                        slicesOfService + "&watch=1&allowWatchBookmarks=true&timeoutSeconds=" + WATCH_SECONDS
                                + "&resourceVersion=" + version,
                        access.headers(),
                        new JsonStream(event -> thread.execute(() -> receive(mine, event))));
                running = sent;
                sent.whenComplete((done, failure) -> ended(mine, failure));
                thread.later(() -> probe(mine), PROBE);
            } catch (IOException e) {
                failed("the token cannot be read: " + e.getMessage());
            }
        }

        private void receive(int mine, JsonValue event) {
            if (closed || mine != number) {
                return;
            }
            lastEvent = System.nanoTime();
            String type = event.get("type").raw();
            JsonValue object = event.get("object");
            if (type.equals("ERROR")) {
                if ((int) object.number("code") != GONE) {
                    listener.failed("the watch failed: code " + (int) object.number("code"));
                }
                number++;
                end();
                // The API server no longer has this version, so the source lists the slices again.
                thread.later(this, pauses.pause(Duration.ZERO));
                return;
            }
            pauses.reset();
            String now = object.get("metadata").get("resourceVersion").raw();
            version = now.isEmpty() ? version : now;
            switch (type) {
                case "ADDED", "MODIFIED" -> slices.put(object);
                case "DELETED" -> slices.remove(object);
                default -> {
                    listener.confirmed();
                    return;
                }
            }
            reportSoon();
        }

        /** Schedules one report for all events that were received together. */
        private void reportSoon() {
            if (!reporting) {
                reporting = true;
                thread.execute(() -> {
                    reporting = false;
                    if (!closed) {
                        report();
                    }
                });
            }
        }

        private void ended(int mine, @Nullable Throwable failure) {
            if (closed || mine != number) {
                return;
            }
            if (failure == null) {
                // The API server ends each watch at its timeout. A watch that ends early is followed by longer pauses.
                if (System.nanoTime() - opened > SHORT) {
                    pauses.reset();
                }
                thread.later(this::open, pauses.pause(Duration.ZERO));
            } else if (failure instanceof SourceException reason && reason.status() == GONE) {
                thread.later(this, pauses.pause(Duration.ZERO));
            } else {
                failed(String.valueOf(failure.getMessage()));
            }
        }

        /** Ends a watch if no event has arrived for the maximum time. */
        private void probe(int mine) {
            if (closed || mine != number) {
                return;
            }
            if (System.nanoTime() - lastEvent > SILENCE) {
                number++;
                end();
                failed("the watch has received no event for 150 s");
            } else {
                thread.later(() -> probe(mine), PROBE);
            }
        }

        private void failed(String reason) {
            number++;
            listener.failed(reason);
            thread.later(this, pauses.pause(Duration.ZERO));
        }

        private void end() {
            CompletableFuture<?> ending = running;
            running = null;
            if (ending != null) {
                ending.cancel(true);
            }
        }

        @Override
        public void close() {
            closed = true;
            watches.remove(this);
            thread.execute(this::end);
        }
    }
}
