package dev.lychgate.server.discovery;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.ConsulConfig;
import dev.lychgate.discovery.EndpointSource;
import dev.lychgate.server.push.BackOff;
import dev.lychgate.upstream.SourceQuestion;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads services from Consul with blocking queries. Consul delays a response until the index of the service exceeds the
 * index of the previous response. If the index has decreased, Consul has lost its state, and the next query does not
 * block.
 *
 * @see <a href="https://developer.hashicorp.com/consul/api-docs/features/blocking">Blocking queries</a>
 */
final class ConsulSource implements EndpointSource {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /**
     * The pause between two queries, in nanoseconds. The pause prevents a constantly changing service from occupying
     * the thread.
     */
    private static final long BETWEEN = Duration.ofMillis(100).toNanos();

    private final ConsulConfig config;
    private final SourceThread thread;
    private final SourceHttp http;
    private final Set<ServiceWatch> watches = ConcurrentHashMap.newKeySet();

    /**
     * Creates the source, and reads the certificates of its TLS settings. May block.
     *
     * @throws ConfigException if a file is unusable
     */
    ConsulSource(String name, ConsulConfig config) {
        this.config = config;
        this.thread = new SourceThread(name);
        this.http = new SourceHttp(config.server(), thread);
    }

    @Override
    public Watch watch(SourceQuestion question, Listener listener) {
        ServiceWatch watch = new ServiceWatch(question.service(), listener);
        watches.add(watch);
        thread.execute(watch);
        return watch;
    }

    @Override
    public void close() {
        watches.forEach(ServiceWatch::close);
        thread.close();
    }

    /** The watch of one service. Except for {@link #close}, only the thread of the source uses it. */
    private final class ServiceWatch implements Watch, Runnable {
        private final String service;
        private final Listener listener;
        private final BackOff pauses = new BackOff(FIRST_PAUSE, LONGEST_PAUSE, Duration.ZERO);
        private @Nullable CompletableFuture<SourceHttp.Page> query;
        private long index;
        private volatile boolean closed;

        ServiceWatch(String service, Listener listener) {
            this.service = service;
            this.listener = listener;
        }

        @Override
        public void run() {
            if (closed) {
                return;
            }
            StringBuilder path = new StringBuilder("/v1/health/service/").append(service);
            char separator = '?';
            if (!config.datacenter().isEmpty()) {
                path.append(separator).append("dc=").append(config.datacenter());
                separator = '&';
            }
            Duration delay = Duration.ZERO;
            if (index > 0) {
                path.append(separator).append("index=").append(index);
                path.append("&wait=").append(config.hold().toMillis()).append("ms");
                // Consul extends the wait by up to a sixteenth, so that queries do not all end at the same time.
                delay = config.hold().plus(config.hold().dividedBy(16));
            }
            String token = config.token();
            CompletableFuture<SourceHttp.Page> sent =
                    http.get(path.toString(), token == null ? Map.of() : Map.of("x-consul-token", token), delay);
            query = sent;
            sent.whenComplete(this::ended);
        }

        private void ended(SourceHttp.@Nullable Page page, @Nullable Throwable failure) {
            if (closed) {
                return;
            }
            if (page == null) {
                index = 0;
                failed(String.valueOf(failure == null ? null : failure.getMessage()));
                return;
            }
            long next = index(page);
            try {
                if (next > 0 && next == index) {
                    listener.confirmed();
                } else {
                    listener.found(ConsulEndpoints.read(page.json()));
                }
            } catch (UnusableReportException e) {
                failed(String.valueOf(e.getMessage()));
                return;
            }
            pauses.reset();
            boolean reset = next < index;
            index = reset ? 0 : next;
            // Without an index, Consul would respond immediately, so the next query waits for longer.
            thread.later(this, next > 0 ? BETWEEN : pauses.pause(Duration.ZERO));
        }

        /** Returns the index of a response; 0 if the index is missing or malformed. */
        private static long index(SourceHttp.Page page) {
            String text = page.headers().firstValue("x-consul-index").orElse("");
            return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
        }

        private void failed(String reason) {
            listener.failed(reason);
            thread.later(this, pauses.pause(Duration.ZERO));
        }

        @Override
        public void close() {
            closed = true;
            watches.remove(this);
            thread.execute(() -> {
                CompletableFuture<SourceHttp.Page> running = query;
                if (running != null) {
                    running.cancel(true);
                }
            });
        }
    }
}
