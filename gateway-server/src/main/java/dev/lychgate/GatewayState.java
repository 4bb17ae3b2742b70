package dev.lychgate;

import dev.lychgate.dns.NameStatus;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.loop.Headroom;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.server.admin.AdminSource;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.admin.ProcessUpgrade;
import dev.lychgate.server.admin.Proposals;
import dev.lychgate.server.metrics.GatewayMetrics;
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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The lifecycle of a gateway, and the data source of its admin listener. Thread-safe. */
final class GatewayState implements AdminSource {
    private final GatewayMetrics metrics;
    private final RecentTraffic traffic;
    private final RecentExchanges exchanges;
    private final Supplier<@Nullable RecordingSearch> recording;
    private final MirrorBook mirrors;
    private volatile @Nullable Gateway gateway;
    private volatile @Nullable Generations generations;
    private volatile @Nullable Proposals proposals;
    private volatile @Nullable String notReady = "starting";
    private volatile @Nullable Runnable drain;
    private volatile @Nullable ProcessUpgrade upgrade;
    private final AtomicBoolean ending = new AtomicBoolean();

    GatewayState(
            GatewayMetrics metrics,
            RecentExchanges exchanges,
            Supplier<@Nullable RecordingSearch> recording,
            MirrorBook mirrors) {
        this.metrics = metrics;
        this.traffic = new RecentTraffic(metrics);
        this.exchanges = exchanges;
        this.recording = recording;
        this.mirrors = mirrors;
    }

    @Override
    public @Nullable RecordingSearch recording() {
        return recording.get();
    }

    void started(Gateway running) {
        gateway = running;
        notReady = null;
    }

    void follows(Generations running, Proposals files) {
        generations = running;
        proposals = files;
    }

    @Override
    public @Nullable Proposals proposals() {
        return proposals;
    }

    @Override
    public @Nullable Generations generations() {
        return generations;
    }

    /** Ends reloads, and waits for a limited time until the history has sent all its entries to their receivers. */
    void endReloads() {
        Generations running = generations;
        if (running != null) {
            running.endReloads();
        }
    }

    void draining() {
        ending.set(true);
        notReady = "draining";
    }

    /** Sets the action that runs, on a separate thread, when an operator requests the drain that ends the process. */
    void onDrain(Runnable action) {
        drain = action;
    }

    /** Sets the action that replaces the process. */
    void onUpgrade(ProcessUpgrade action) {
        upgrade = action;
    }

    @Override
    public @Nullable ProcessUpgrade upgrade() {
        return gateway == null ? null : upgrade;
    }

    @Override
    public boolean standAside(boolean aside) {
        if (gateway == null || ending.get()) {
            return false;
        }
        notReady = aside ? "draining" : null;
        if (ending.get()) {
            // The final drain began concurrently, so the gateway must continue to report that it is not ready.
            notReady = "draining";
            return false;
        }
        return true;
    }

    @Override
    public boolean drain() {
        Runnable action = drain;
        if (action == null || gateway == null || !ending.compareAndSet(false, true)) {
            return false;
        }
        notReady = "draining";
        Thread thread = new Thread(action, "lychgate-drain");
        thread.start();
        return true;
    }

    @Override
    public @Nullable Gateway gateway() {
        return gateway;
    }

    @Override
    public @Nullable String notReady() {
        Gateway running = gateway;
        String reason = notReady;
        if (reason == null && Headroom.isExhausted()) {
            return "memory";
        }
        return reason != null || running == null ? reason : running.notReady();
    }

    @Override
    public @Nullable Generation generation() {
        Gateway running = gateway;
        return running == null ? null : running.generation();
    }

    @Override
    public CompletableFuture<Map<String, PoolCounters>> poolCounters() {
        Gateway running = gateway;
        try {
            return running == null ? CompletableFuture.completedFuture(Map.of()) : running.poolCounters();
        } catch (RejectedExecutionException stopped) {
            // The event loops have ended, so no connection pool exists any more.
            return CompletableFuture.completedFuture(Map.of());
        }
    }

    @Override
    public List<NameStatus> nameStatuses() {
        Gateway running = gateway;
        return running == null ? List.of() : running.nameStatuses();
    }

    @Override
    public List<SourceStatus> sourceStatuses() {
        Gateway running = gateway;
        return running == null ? List.of() : running.sourceStatuses();
    }

    @Override
    public RecentTraffic traffic() {
        return traffic;
    }

    @Override
    public Losses losses() {
        return metrics.losses();
    }

    @Override
    public RecentExchanges exchanges() {
        return exchanges;
    }

    @Override
    public MirrorBook mirrors() {
        return mirrors;
    }

    @Override
    public CompletableFuture<String> metrics(MetricsFormat format, ScheduledExecutorService renderer) {
        return metrics.scrape(format, renderer);
    }
}
