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
 * Divides the file descriptors of the process among clients, origins and the gateway itself. Client connections must
 * not use up the descriptors for origin connections, log files and class loading: if the JVM fails to load a class for
 * lack of a descriptor, the failure is permanent. The division is as follows:
 *
 * <ul>
 *   <li>The gateway reserves {@value #OWN_NEEDS} descriptors for itself.
 *   <li>Upstreams get as many descriptors as connection pools, WebSockets and splicing pipes can open together, but at
 *       most half of the remaining descriptors.
 *   <li>The listeners share all other descriptors. If these are fewer than the sum of the connection limits, they are
 *       shared equally, except that no listener gets more than its limit.
 * </ul>
 */
final class DescriptorBudget {
    static final int OWN_NEEDS = 256;

    /**
     * The minimum number of client connections. The gateway does not start if its descriptors suffice only for fewer
     * client connections.
     */
    static final int LEAST_CLIENTS = 64;

    /**
     * The line of {@code /proc/self/limits} with the limit of open files. For this limit, Linux always reports a
     * number, never "unlimited".
     */
    private static final Pattern OPEN_FILES = Pattern.compile("^Max open files +([0-9]{1,18}) ", Pattern.MULTILINE);

    private final long limit;
    private final long forUpstreams;
    private final long forClients;
    /** The sum of the connection limits that the configuration sets for the listeners. */
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

    /**
     * Returns the maximum number of connections to origins under the configuration {@code of}. Connections in pools
     * that {@code of} shares with {@code other} are not counted.
     */
    private static long connections(GatewayConfig of, @Nullable GatewayConfig other) {
        long sum = 0;
        for (UpstreamConfig upstream : of.targets().values()) {
            UpstreamConfig same = other == null ? null : other.targets().get(upstream.name());
            long targets = upstream.endpoints().size()
                    + upstream.services().size()
                    + upstream.discovered().size()
                    - shared(upstream, same);
            sum += upstream.pool().connections() * targets;
        }
        for (RouteConfig route : of.routes()) {
            // Each WebSocket has its own connection to an origin. No pool counts this connection.
            WebSocketConfig webSocket = route.webSocket();
            boolean alsoThere = webSocket != null
                    && other != null
                    && other.routes().stream()
                            .anyMatch(one -> one.id().equals(route.id()) && webSocket.equals(one.webSocket()));
            sum += webSocket == null || alsoThere ? 0 : webSocket.connections();
        }
        return sum;
    }

    /**
     * Returns how many endpoints and services of {@code upstream} share their connection pools with {@code same}, the
     * upstream of this name in a second configuration.
     */
    private static long shared(UpstreamConfig upstream, @Nullable UpstreamConfig same) {
        if (same == null || !same.pool().equals(upstream.pool())) {
            return 0;
        }
        Set<Object> there = new HashSet<>();
        same.endpoints().forEach(endpoint -> there.add(endpoint.address()));
        same.services().forEach(service -> there.add(service.name()));
        there.addAll(same.discovered());
        return upstream.endpoints().stream()
                        .filter(endpoint -> there.contains(endpoint.address()))
                        .count()
                + upstream.services().stream()
                        .filter(service -> there.contains(service.name()))
                        .count()
                + upstream.discovered().stream().filter(there::contains).count();
    }

    /**
     * Returns the highest limit that can apply to every listener (max-min fairness); {@link Integer#MAX_VALUE} if all
     * configured limits fit.
     *
     * @param available number of descriptors for all listeners
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

    /**
     * Returns the budget of this process.
     *
     * @param config the configuration of the stable generation
     * @param candidate the configuration of the candidate; null if there is none
     */
    static DescriptorBudget ofProcess(GatewayConfig config, @Nullable GatewayConfig candidate) {
        return new DescriptorBudget(limitOfProcess(), config, candidate);
    }

    /** Returns the budget of a process that may open {@code limit} files. */
    static DescriptorBudget of(long limit, GatewayConfig config) {
        return new DescriptorBudget(limit, config, null);
    }

    /**
     * Returns a message for the operator if the process may open too few files; null if the limit suffices. The limit
     * suffices if it leaves room for {@value #LEAST_CLIENTS} client connections, or for all configured client
     * connections if these are fewer.
     */
    @Nullable
    String shortage() {
        long least = Math.min(LEAST_CLIENTS, wanted);
        return forClients >= least
                ? null
                : "the process may open " + limit + " files, which leaves room for " + forClients
                        + " client connections (expected: at least " + least + "); raise ulimit -n to "
                        + (OWN_NEEDS + 2 * least) + " for the minimum, or to " + (OWN_NEEDS + 2 * wanted)
                        + " for all configured connections";
    }

    private static long limitOfProcess() {
        try {
            long said = limitIn(Files.readString(Path.of("/proc/self/limits")));
            if (said > 0) {
                return said;
            }
        } catch (IOException e) {
            // The file exists only on Linux. On other systems, the JVM reports the limit.
        }
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
            return unix.getMaxFileDescriptorCount();
        }
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the soft limit of open files in the text of {@code /proc/self/limits}; 0 if the text contains no such
     * limit. At startup, reading this file takes less time than the use of the JVM's management bean.
     */
    static long limitIn(String limits) {
        Matcher files = OPEN_FILES.matcher(limits);
        return files.find() ? Long.parseLong(files.group(1)) : 0;
    }

    /**
     * Returns the number of connections that a listener may hold open: its configured limit or its share of the
     * descriptors, whichever is lower.
     */
    int connections(ListenerConfig listener) {
        return Math.min(listener.limits().connections(), share);
    }

    /** Describes the division of the process's descriptors, for the log. */
    String summary() {
        return "%d files may be open (ulimit -n): %d are reserved for the gateway, %d for upstreams and %d for clients"
                .formatted(limit, OWN_NEEDS, forUpstreams, forClients);
    }
}
