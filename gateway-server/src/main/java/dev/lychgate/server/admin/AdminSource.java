package dev.lychgate.server.admin;

import dev.lychgate.dns.NameStatus;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.server.metrics.Losses;
import dev.lychgate.server.metrics.MetricsFormat;
import dev.lychgate.server.metrics.RecentTraffic;
import dev.lychgate.server.recorder.RecentExchanges;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** What the admin listener asks of the gateway. Asked on the admin listener's thread; must not block. */
public interface AdminSource {
    /** Why the gateway should get no traffic now ({@code starting}, {@code draining}, {@code memory}); null if it is ready. */
    @Nullable
    String notReady();

    /** The newest generation; null while there is none yet. */
    @Nullable
    Generation generation();

    /** What runs; null while nothing does. */
    default @Nullable Gateway gateway() {
        return null;
    }

    /** The generations, if the gateway follows its files; null if it does not. */
    default @Nullable Generations generations() {
        return null;
    }

    /** What the pools have done and hold, by {@code upstream/endpoint}, all event loops added up. */
    CompletableFuture<Map<String, PoolCounters>> poolCounters();

    /** How the lookups of the names of endpoints have gone. */
    default List<NameStatus> nameStatuses() {
        return List.of();
    }

    /** What the last seconds brought; null while nothing runs. */
    default @Nullable RecentTraffic traffic() {
        return null;
    }

    /** What was refused, dropped or not delivered lately. */
    default Losses losses() {
        return new Losses();
    }

    /** The exchanges that were recorded lately; null while nothing runs. */
    default @Nullable RecentExchanges exchanges() {
        return null;
    }

    /** Returns all metrics as text. @param renderer where to wait for them and write them down */
    CompletableFuture<String> metrics(MetricsFormat format, ScheduledExecutorService renderer);

    /**
     * An operator wants the gateway to be out of the traffic, or in it again: it says that it is not ready, and serves
     * whoever comes nevertheless.
     *
     * @return whether it is so now; false if it is draining for good, or has not started
     */
    default boolean standAside(boolean aside) {
        return false;
    }

    /**
     * Begins to drain, as at the end of the process; returns at once.
     *
     * @return false if it has begun already, or there is nothing to drain
     */
    default boolean drain() {
        return false;
    }
}
