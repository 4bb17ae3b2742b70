package dev.lychgate.gateway;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.WebSocketConfig;
import dev.lychgate.splice.Pipes;
import io.netty.util.NettyRuntime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Divides the process's file descriptors, so that clients cannot exhaust the descriptors for origin connections, logs and
 * class loading. A JVM without descriptors may fail permanently: its first log line may fail to load a class.
 *
 * <p>The gateway reserves {@value #OWN_NEEDS} for itself, and the maximum of pools, WebSockets and pipes, up to half of the
 * rest. The listeners share the remainder. If their limits exceed it, small limits are honored first: each listener gets its
 * limit up to an equal share, and the rest goes to the listeners with higher limits.
 */
final class DescriptorBudget {
    static final int OWN_NEEDS = 256;

    /** Minimum of client connections; the gateway does not start with fewer. */
    static final int LEAST_CLIENTS = 64;

    /** Linux always reports a number here, never "unlimited". */
    private static final Pattern OPEN_FILES = Pattern.compile("^Max open files +([0-9]{1,18}) ", Pattern.MULTILINE);

    private final long limit;
    private final long forUpstreams;
    private final long forClients;
    /** Sum of the listeners' configured limits. */
    private final long wanted;

    private final int share;

    private DescriptorBudget(long limit, GatewayConfig config, @Nullable GatewayConfig candidate) {
        long pools = connections(config, null) + (candidate == null ? 0 : connections(candidate, config));
        if (config.splices() || (candidate != null && candidate.splices())) {
            int loops = config.workers() > 0 ? config.workers() : NettyRuntime.availableProcessors();
            pools += (long) loops * Pipes.DESCRIPTORS;
        }
        long free = Math.max(2, limit - OWN_NEEDS);
        this.limit = limit;
        this.forUpstreams = Math.min(pools, free / 2);
        this.forClients = free - forUpstreams;
        int[] asked = config.listeners().stream()
                .mapToInt(l -> l.limits().connections())
                .sorted()
                .toArray();
        this.wanted = Arrays.stream(asked).asLongStream().sum();
        this.share = share(forClients, asked);
    }

    /** Returns how many connections to origins {@code of} permits, without the connections that it shares with {@code other}. */
    private static long connections(GatewayConfig of, @Nullable GatewayConfig other) {
        long sum = 0;
        for (UpstreamConfig upstream : of.targets().values()) {
            UpstreamConfig same = other == null ? null : other.targets().get(upstream.name());
            long targets = upstream.endpoints().size() + upstream.services().size() - shared(upstream, same);
            sum += upstream.pool().connections() * targets;
        }
        for (RouteConfig route : of.routes()) {
            // Each WebSocket has its own connection to an origin, outside the pools.
            WebSocketConfig webSocket = route.webSocket();
            boolean alsoThere = webSocket != null
                    && other != null
                    && other.routes().stream()
                            .anyMatch(one -> one.id().equals(route.id()) && webSocket.equals(one.webSocket()));
            sum += webSocket == null || alsoThere ? 0 : webSocket.connections();
        }
        return sum;
    }

    /** Returns how many endpoints and services of an upstream have the same pools in another configuration. */
    private static long shared(UpstreamConfig upstream, @Nullable UpstreamConfig same) {
        if (same == null || !same.pool().equals(upstream.pool())) {
            return 0;
        }
        Set<Object> there = new HashSet<>();
        same.endpoints().forEach(endpoint -> there.add(endpoint.address()));
        same.services().forEach(service -> there.add(service.name()));
        return upstream.endpoints().stream()
                        .filter(endpoint -> there.contains(endpoint.address()))
                        .count()
                + upstream.services().stream()
                        .filter(service -> there.contains(service.name()))
                        .count();
    }

    /**
     * Returns the highest limit that every listener can be given (max-min fairness).
     *
     * @param asked the listeners' configured limits, in ascending order
     */
    private static int share(long available, int[] asked) {
        long left = available;
        for (int i = 0; i < asked.length; i++) {
            long equal = left / (asked.length - i);
            if (asked[i] > equal) {
                return (int) Math.max(1, equal);
            }
            left -= asked[i];
        }
        return Integer.MAX_VALUE;
    }

    /** Returns the budget of this process. @param candidate the configuration of a second generation; null if there is none */
    static DescriptorBudget ofProcess(GatewayConfig config, @Nullable GatewayConfig candidate) {
        return new DescriptorBudget(limitOfProcess(), config, candidate);
    }

    /** Returns the budget of a process that may open {@code limit} files. */
    static DescriptorBudget of(long limit, GatewayConfig config) {
        return new DescriptorBudget(limit, config, null);
    }

    /**
     * Returns a message for the operator if the process may open too few files; null if the limit suffices. Listeners that
     * are configured for fewer connections than the minimum need no more than those.
     */
    @Nullable
    String shortage() {
        long least = Math.min(LEAST_CLIENTS, wanted);
        return forClients >= least
                ? null
                : "the process may open " + limit + " files, which leaves room for " + forClients
                        + " client connections (expected: at least " + least + "); with ulimit -n "
                        + (OWN_NEEDS + 2 * least) + " it can start, with ulimit -n " + (OWN_NEEDS + 2 * wanted)
                        + " it can open all configured connections";
    }

    private static long limitOfProcess() {
        try {
            long said = limitIn(Files.readString(Path.of("/proc/self/limits")));
            if (said > 0) {
                return said;
            }
        } catch (IOException e) {
            // Not Linux.
        }
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
            return unix.getMaxFileDescriptorCount();
        }
        return Integer.MAX_VALUE;
    }

    /** Returns the soft limit that Linux reports, 0 if it is missing. Faster at startup than the JVM's management bean. */
    static long limitIn(String limits) {
        Matcher files = OPEN_FILES.matcher(limits);
        return files.find() ? Long.parseLong(files.group(1)) : 0;
    }

    /** Returns how many connections a listener may hold open: its limit, or the share of a listener if that is lower. */
    int connections(ListenerConfig listener) {
        return Math.min(listener.limits().connections(), share);
    }

    /** Returns the allocation of the process's descriptors, for the log. */
    String summary() {
        return "%d files may be open (ulimit -n), %d are reserved for the gateway and %d for upstreams, %d are left for clients"
                .formatted(limit, OWN_NEEDS, forUpstreams, forClients);
    }
}
