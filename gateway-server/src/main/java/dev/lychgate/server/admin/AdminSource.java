package dev.lychgate.server.admin;

import dev.lychgate.dns.NameStatus;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.server.metrics.Losses;
import dev.lychgate.server.metrics.MetricsFormat;
import dev.lychgate.server.metrics.RecentTraffic;
import dev.lychgate.server.mirror.MirrorBook;
import dev.lychgate.server.recorder.RecentExchanges;
import dev.lychgate.server.recording.RecordingSearch;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** The data that the admin listener shows. Called on the admin listener's thread; must not block. */
public interface AdminSource {
    /** Returns why the gateway is not ready ({@code starting}, {@code draining}, {@code memory}); null if it is ready. */
    @Nullable
    String notReady();

    /** Returns the newest generation; null before the first. */
    @Nullable
    Generation generation();

    /** Returns the running gateway; null if there is none. */
    @Nullable
    Gateway gateway();

    /** Returns the generations; null if the gateway does not watch its files. */
    @Nullable
    Generations generations();

    /** Returns the access to the files; null if the gateway does not watch its files. */
    @Nullable
    Proposals proposals();

    /** Returns the counters of pools, by {@code upstream/endpoint}, summed over all event loops. */
    CompletableFuture<Map<String, PoolCounters>> poolCounters();

    /** Returns the results of the name lookups of endpoints. */
    List<NameStatus> nameStatuses();

    /** Returns the traffic of the last seconds. */
    RecentTraffic traffic();

    /** Returns recent refusals, drops and undelivered items. */
    Losses losses();

    /** Returns the recently recorded exchanges. */
    RecentExchanges exchanges();

    /** Returns the access to the recording; null if the gateway does not record. */
    @Nullable
    RecordingSearch recording();

    /** Returns the differences between responses to copies of requests and those to clients. */
    MirrorBook mirrors();

    /** Returns all metrics as text. @param renderer collects and formats them */
    CompletableFuture<String> metrics(MetricsFormat format, ScheduledExecutorService renderer);

    /**
     * Takes the gateway out of the traffic or back into it, for an operator: it reports that it is not ready, but still
     * serves all requests.
     *
     * @return whether this took effect; false if it drains for good, or has not started
     */
    boolean standAside(boolean aside);

    /**
     * Starts the drain that ends the process; returns at once.
     *
     * @return false if it has started already, or there is nothing to drain
     */
    boolean drain();
}
