package dev.lychgate.server.discovery;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.EurekaConfig;
import dev.lychgate.discovery.EndpointSource;
import dev.lychgate.server.push.BackOff;
import dev.lychgate.upstream.SourceQuestion;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads applications from Eureka. The source keeps one copy of the registry for all of its watches. The first request
 * reads the whole registry, and later requests read the recent changes. The source reads the whole registry again if
 * the server does not offer changes, or if their hash code does not match the copy.
 *
 * @see <a href="https://github.com/Netflix/eureka/wiki/Eureka-REST-operations">Eureka REST operations</a>
 */
final class EurekaSource implements EndpointSource {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final EurekaConfig config;
    private final SourceThread thread;
    private final SourceHttp http;
    private final Set<ApplicationWatch> watches = ConcurrentHashMap.newKeySet();
    private final BackOff pauses = new BackOff(FIRST_PAUSE, LONGEST_PAUSE, Duration.ZERO);
    /** The copy of the registry; null if the next request must read the whole registry. */
    private @Nullable EurekaRegistry registry;

    private boolean started;
    private volatile boolean closed;

    /**
     * Creates the source, and reads the certificates of its TLS settings. May block.
     *
     * @throws ConfigException if a file is unusable
     */
    EurekaSource(String name, EurekaConfig config) {
        this.config = config;
        this.thread = new SourceThread(name);
        this.http = new SourceHttp(config.server(), thread);
    }

    /** The watch of one application. */
    private final class ApplicationWatch implements Watch {
        private final SourceQuestion question;
        private final Listener listener;

        ApplicationWatch(SourceQuestion question, Listener listener) {
            this.question = question;
            this.listener = listener;
        }

        void report(EurekaRegistry from) {
            listener.found(from.endpoints(question.service(), question.port()));
        }

        @Override
        public void close() {
            watches.remove(this);
        }
    }

    @Override
    public Watch watch(SourceQuestion question, Listener listener) {
        ApplicationWatch watch = new ApplicationWatch(question, listener);
        watches.add(watch);
        thread.execute(() -> {
            EurekaRegistry known = registry;
            if (known != null) {
                watch.report(known);
            }
            if (!started) {
                started = true;
                read();
            }
        });
        return watch;
    }

    private void read() {
        if (closed) {
            return;
        }
        EurekaRegistry known = registry;
        http.get(known == null ? "/apps" : "/apps/delta", Map.of(), Duration.ZERO)
                .whenComplete((page, failure) -> {
                    if (closed) {
                        return;
                    }
                    if (page == null) {
                        failed(known != null, failure);
                    } else if (known == null) {
                        replace(page);
                    } else {
                        change(known, page);
                    }
                });
    }

    private void replace(SourceHttp.Page page) {
        if (page.json().get("applications").isMissing()) {
            report("the response has no applications");
            thread.later(this::read, pauses.pause(Duration.ZERO));
            return;
        }
        EurekaRegistry whole = EurekaRegistry.of(page.json());
        registry = whole;
        succeeded(whole);
    }

    private void change(EurekaRegistry known, SourceHttp.Page page) {
        if (known.apply(page.json())) {
            succeeded(known);
        } else {
            // Changes are missing, for example because the server dropped changes that the source had not read yet.
            registry = null;
            thread.later(this::read, 0);
        }
    }

    private void succeeded(EurekaRegistry now) {
        pauses.reset();
        watches.forEach(watch -> watch.report(now));
        thread.later(this::read, config.interval().toNanos());
    }

    private void failed(boolean delta, @Nullable Throwable failure) {
        int status = failure instanceof SourceException reason ? reason.status() : 0;
        registry = null;
        if (delta && status >= 400 && status < 500) {
            // The server offers no changes, so the source reads the whole registry at each interval.
            thread.later(this::read, 0);
            return;
        }
        report(String.valueOf(failure == null ? null : failure.getMessage()));
        thread.later(this::read, pauses.pause(Duration.ZERO));
    }

    private void report(String reason) {
        watches.forEach(watch -> watch.listener.failed(reason));
    }

    @Override
    public void close() {
        closed = true;
        watches.clear();
        thread.close();
    }
}
