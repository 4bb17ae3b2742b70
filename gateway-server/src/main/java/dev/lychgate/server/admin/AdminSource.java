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
import dev.lychgate.upstream.SourceStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The data that the admin listener shows. Its methods are called on the admin listener's thread, so they must not
 * block.
 */
public interface AdminSource {
    /**
     * Returns the reason why the gateway is not ready ({@code starting}, {@code draining}, {@code memory}); null if it
     * is ready.
     */
    @Nullable
    String notReady();

    /** Returns the generation in force; null before the gateway has started. */
    @Nullable
    Generation generation();

    /** Returns the running gateway; null if there is none. */
    @Nullable
    Gateway gateway();

    /** Returns the object that controls the gateway's generations; null if the gateway does not watch its files. */
    @Nullable
    Generations generations();

    /** Returns the object that checks changed files; null if the gateway does not watch its files. */
    @Nullable
    Proposals proposals();

    /** Returns the counters of connection pools, by {@code upstream/endpoint}, summed over all event loops. */
    CompletableFuture<Map<String, PoolCounters>> poolCounters();

    /** Returns the results of resolving the host names of endpoints. */
    List<NameStatus> nameStatuses();

    /** Returns the status of each service from which an upstream discovers endpoints. */
    List<SourceStatus> sourceStatuses();

    /** Returns the traffic of the last seconds. */
    RecentTraffic traffic();

    /** Returns the counts of refusals for lack of memory, and of items that logs and receivers lost. */
    Losses losses();

    /** Returns the recently recorded exchanges. */
    RecentExchanges exchanges();

    /** Returns the object that searches the recording; null if the gateway does not record exchanges. */
    @Nullable
    RecordingSearch recording();

    /** Returns the differences between the responses to copied requests and the responses that clients received. */
    MirrorBook mirrors();

    /**
     * Returns all metrics as text.
     *
     * @param renderer the thread that collects and formats the metrics
     */
    CompletableFuture<String> metrics(MetricsFormat format, ScheduledExecutorService renderer);

    /**
     * Sets whether the gateway reports that it is ready, as an operator has requested. A gateway that is not ready
     * still serves all requests.
     *
     * @param aside true to report that the gateway is not ready; false to report that it is ready again
     * @return true if the change took effect; false if the gateway has not started, or is draining to end the process
     */
    boolean standAside(boolean aside);

    /**
     * Starts the drain that ends the process, and returns at once.
     *
     * @return false if a drain has already started, or the gateway is not running
     */
    boolean drain();

    /**
     * Returns the action that replaces the process with a new one; null if the command {@code run} has not started the
     * gateway.
     */
    @Nullable
    ProcessUpgrade upgrade();
}
