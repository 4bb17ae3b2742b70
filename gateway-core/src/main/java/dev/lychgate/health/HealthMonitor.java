package dev.lychgate.health;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.OutlierConfig;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.Upstream;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors the endpoints of all upstreams, once per process. Checks are cheap and are distributed over the event loops.
 * A separate thread detects outliers ten times a second. Checks that the next generation leaves unchanged continue.
 */
public final class HealthMonitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthMonitor.class);
    private static final long TICK_MILLIS = 100;

    private record Checked(String upstream, Destination endpoint, String host, ActiveHealthConfig config) {}

    private record Watched(OutlierConfig config, List<EndpointAddress> endpoints, OutlierDetector detector) {}

    private final List<Loop> loops;
    private final Function<Loop, Connector> connectors;
    private final Map<Checked, EndpointCheck> checks = new HashMap<>();
    private final Map<String, Watched> watched = new HashMap<>();
    private @Nullable ScheduledExecutorService thread;
    private int next;
    private boolean closed;

    /** @param connectors returns the connector of a loop */
    public HealthMonitor(List<Loop> loops, Function<Loop, Connector> connectors) {
        this.loops = List.copyOf(loops);
        this.connectors = connectors;
    }

    /** Monitors exactly these upstreams from now on. Any thread except event loops. */
    public synchronized void adopt(Collection<Upstream> upstreams) {
        if (closed) {
            return;
        }
        Map<Checked, Upstream> wanted = new HashMap<>();
        Map<String, Upstream> byName = new HashMap<>();
        for (Upstream upstream : upstreams) {
            byName.put(upstream.name(), upstream);
            ActiveHealthConfig active = upstream.config().health().active();
            if (active != null) {
                String host = active.host();
                upstream.endpoints()
                        .forEach(e -> wanted.put(
                                new Checked(
                                        upstream.name(), e.destination(), host == null ? e.hostField() : host, active),
                                upstream));
            }
        }
        checks.entrySet().removeIf(check -> {
            boolean gone = !wanted.containsKey(check.getKey());
            if (gone) {
                check.getValue().stop();
            }
            return gone;
        });
        wanted.forEach((key, upstream) -> checks.computeIfAbsent(key, k -> begin(k, upstream)));
        watched.keySet().retainAll(byName.keySet());
        byName.values().forEach(this::watch);
        lookIfNeeded();
    }

    private EndpointCheck begin(Checked what, Upstream upstream) {
        Loop loop = loops.get(next++ % loops.size());
        EndpointCheck check = new EndpointCheck(
                loop,
                connectors.apply(loop),
                what.upstream(),
                what.endpoint(),
                what.host(),
                what.config(),
                upstream.state());
        check.start();
        return check;
    }

    private void watch(Upstream upstream) {
        OutlierConfig config = upstream.config().health().outlier();
        if (config == null) {
            watched.remove(upstream.name());
            return;
        }
        List<EndpointAddress> endpoints =
                upstream.endpoints().stream().map(Endpoint::address).toList();
        Watched known = watched.get(upstream.name());
        if (known != null && known.config().equals(config) && known.endpoints().equals(endpoints)) {
            return;
        }
        OutlierDetector detector = new OutlierDetector(
                config,
                upstream.endpoints().stream().map(Endpoint::outcomes).toList(),
                (index, until, why) -> {
                    LOG.warn(
                            "{}: endpoint {} is ejected for {} ms: {}",
                            upstream.name(),
                            endpoints.get(index),
                            TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()),
                            why);
                    upstream.state().eject(endpoints.get(index), until);
                },
                System.nanoTime());
        watched.put(upstream.name(), new Watched(config, endpoints, detector));
    }

    private void lookIfNeeded() {
        if (thread == null && !watched.isEmpty()) {
            thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread t = new Thread(task, "lychgate-health");
                t.setDaemon(true);
                return t;
            });
            thread.scheduleWithFixedDelay(this::look, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private synchronized void look() {
        try {
            long now = System.nanoTime();
            watched.values().forEach(one -> one.detector().look(now));
        } catch (RuntimeException e) {
            // An exception would cancel the periodic task.
            LOG.error("outlier detection failed", e);
        }
    }

    /** Stops all checks. */
    @Override
    public synchronized void close() {
        closed = true;
        checks.values().forEach(EndpointCheck::stop);
        checks.clear();
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
