package dev.lychgate.health;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.OutlierConfig;
import dev.lychgate.loop.Loop;
import dev.lychgate.origin.Connector;
import dev.lychgate.origin.Destination;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointOutcomes;
import dev.lychgate.upstream.Upstream;
import dev.lychgate.upstream.UpstreamState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors the endpoints of all upstreams; a process has one monitor. Checks are cheap, so they run on the event loops.
 * A separate thread detects outliers ten times a second. When another generation takes effect, checks with unchanged
 * settings continue.
 */
public final class HealthMonitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthMonitor.class);
    private static final long TICK_MILLIS = 100;

    private record Checked(String upstream, Destination endpoint, String host, ActiveHealthConfig config) {}

    /** Endpoints of one upstream whose error rates and latencies are compared with each other. */
    private record Peers(String upstream, OutlierConfig config, List<EndpointAddress> endpoints) {}

    private record Evidence(UpstreamState state, List<EndpointOutcomes> outcomes) {}

    private final List<Loop> loops;
    private final Function<Loop, Connector> connectors;
    private final Map<Checked, EndpointCheck> checks = new HashMap<>();
    private final Map<Peers, OutlierDetector> watched = new HashMap<>();
    private @Nullable ScheduledExecutorService thread;
    private int next;
    private boolean closed;

    /**
     * Creates a monitor that monitors no endpoints yet.
     *
     * @param connectors returns the connector of a loop
     */
    public HealthMonitor(List<Loop> loops, Function<Loop, Connector> connectors) {
        this.loops = List.copyOf(loops);
        this.connectors = connectors;
    }

    /**
     * Monitors exactly these upstreams from now on. Must not be called on an event loop.
     *
     * @param upstreams upstreams of all generations in force. If two upstreams have the same name, the settings of the
     *     first upstream apply to all of its endpoints, even if these settings disable checks. The settings of the
     *     second upstream apply to the endpoints that only the second upstream contains
     */
    public synchronized void adopt(Collection<Upstream> upstreams) {
        if (closed) {
            return;
        }
        Map<Checked, Upstream> wanted = new HashMap<>();
        Map<Peers, Evidence> groups = new HashMap<>();
        Map<String, Set<EndpointAddress>> taken = new HashMap<>();
        for (Upstream upstream : upstreams) {
            Set<EndpointAddress> known = taken.computeIfAbsent(upstream.name(), name -> new HashSet<>());
            List<Endpoint> own = upstream.endpoints().stream()
                    .filter(endpoint -> !known.contains(endpoint.address()))
                    .toList();
            own.forEach(endpoint -> known.add(endpoint.address()));
            addChecks(wanted, upstream, own);
            addPeers(groups, upstream, own);
        }
        checks.entrySet().removeIf(check -> {
            boolean gone = !wanted.containsKey(check.getKey());
            if (gone) {
                check.getValue().stop();
            }
            return gone;
        });
        wanted.forEach((key, upstream) -> checks.computeIfAbsent(key, k -> begin(k, upstream)));
        watched.keySet().retainAll(groups.keySet());
        groups.forEach((peers, evidence) -> watched.computeIfAbsent(peers, p -> detector(p, evidence)));
        lookIfNeeded();
    }

    private static void addChecks(Map<Checked, Upstream> to, Upstream upstream, List<Endpoint> endpoints) {
        ActiveHealthConfig active = upstream.config().health().active();
        if (active != null) {
            String host = active.host();
            endpoints.forEach(e -> to.put(
                    new Checked(upstream.name(), e.destination(), host == null ? e.hostField() : host, active),
                    upstream));
        }
    }

    private static void addPeers(Map<Peers, Evidence> to, Upstream upstream, List<Endpoint> endpoints) {
        OutlierConfig outliers = upstream.config().health().outlier();
        if (outliers != null && !endpoints.isEmpty()) {
            to.put(
                    new Peers(
                            upstream.name(),
                            outliers,
                            endpoints.stream().map(Endpoint::address).toList()),
                    new Evidence(
                            upstream.state(),
                            endpoints.stream().map(Endpoint::outcomes).toList()));
        }
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

    private static OutlierDetector detector(Peers peers, Evidence evidence) {
        List<EndpointAddress> endpoints = peers.endpoints();
        return new OutlierDetector(
                peers.config(),
                evidence.outcomes(),
                (index, until, why) -> {
                    LOG.warn(
                            "upstream {}: endpoint {} is ejected for {} ms: {}",
                            peers.upstream(),
                            endpoints.get(index),
                            TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()),
                            why);
                    evidence.state().eject(endpoints.get(index), until);
                },
                System.nanoTime());
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
            watched.values().forEach(detector -> detector.look(now));
        } catch (RuntimeException e) {
            // An exception would cancel the periodic task.
            LOG.error(
                    "internal error in outlier detection; this check ejects no further endpoints, and the next check"
                            + " starts in {} ms",
                    TICK_MILLIS,
                    e);
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
