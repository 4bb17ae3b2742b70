package dev.lychgate.gateway;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.DiscoveryConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.discovery.EndpointSources;
import dev.lychgate.discovery.SourceDiscovery;
import dev.lychgate.dns.EndpointDiscovery;
import dev.lychgate.upstream.SourceStatus;
import dev.lychgate.upstream.UpstreamStates;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Watches the endpoints that can change without a new configuration: endpoints with a host name, which DNS resolves,
 * and endpoints of services, which the sources in {@code discovery.sources} report. The watch of services starts when
 * the first upstream refers to a source. Must not be used on an event loop.
 */
final class ChangingEndpoints implements AutoCloseable {
    private final EndpointDiscovery names;
    private final Runnable changed;
    private @Nullable SourceDiscovery sources;
    private boolean closed;

    /**
     * Creates the watch of endpoints. No name and no service is watched yet.
     *
     * @param changed called after the endpoints of a source have changed; may block
     */
    ChangingEndpoints(EndpointDiscovery names, Runnable changed) {
        this.names = names;
        this.changed = changed;
    }

    /**
     * Starts DNS lookups and watches of services for a new generation. Existing lookups and watches continue. Waits
     * until each name has been looked up once and each source has responded or failed once, but no longer than
     * {@code within}.
     *
     * @throws ConfigException if a source cannot be created
     */
    void prepare(
            Collection<UpstreamConfig> upstreams,
            UpstreamStates states,
            @Nullable DiscoveryConfig discovery,
            Duration within) {
        long begin = System.nanoTime();
        SourceDiscovery watching = sources(upstreams);
        List<CompletableFuture<Void>> first =
                watching == null ? List.of() : watching.begin(upstreams, states, discovery);
        names.prepare(upstreams, states, within);
        await(first, within.toNanos() - (System.nanoTime() - begin));
    }

    private static void await(List<CompletableFuture<Void>> first, long nanos) {
        try {
            CompletableFuture.allOf(first.toArray(CompletableFuture[]::new))
                    .get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // The watches continue, and log their failures.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Watches the names and services of these upstreams from now on, and ends the watches of all other names and
     * services.
     */
    void adopt(Collection<UpstreamConfig> upstreams, UpstreamStates states, @Nullable DiscoveryConfig discovery) {
        names.adopt(upstreams, states);
        SourceDiscovery watching = sources(upstreams);
        if (watching != null) {
            watching.adopt(upstreams, states, discovery);
        }
    }

    /** Returns the watch of services; null if no upstream has referred to a source so far. */
    private synchronized @Nullable SourceDiscovery sources(Collection<UpstreamConfig> upstreams) {
        if (sources == null
                && !closed
                && upstreams.stream()
                        .anyMatch(upstream -> !upstream.discovered().isEmpty())) {
            sources = new SourceDiscovery(EndpointSources.installed(), changed);
        }
        return sources;
    }

    /** Returns the status of each discovered service. */
    synchronized List<SourceStatus> statuses() {
        return sources == null ? List.of() : sources.statuses();
    }

    @Override
    public synchronized void close() {
        closed = true;
        names.close();
        if (sources != null) {
            sources.close();
        }
    }
}
