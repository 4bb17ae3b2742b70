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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A fake gateway for tests. */
final class FakeSource implements AdminSource {
    volatile @Nullable String notReady;
    volatile @Nullable Generation generation;
    volatile CompletableFuture<String> metrics = CompletableFuture.completedFuture("# none\n");

    private final Losses losses = new Losses();

    /** The last requested format of the metrics. */
    volatile @Nullable MetricsFormat format;

    /** The number of requests for metrics. */
    final AtomicInteger scrapes = new AtomicInteger();

    @Override
    public @Nullable String notReady() {
        return notReady;
    }

    @Override
    public @Nullable Generation generation() {
        return generation;
    }

    @Override
    public CompletableFuture<Map<String, PoolCounters>> poolCounters() {
        return CompletableFuture.completedFuture(Map.of());
    }

    @Override
    public CompletableFuture<String> metrics(MetricsFormat format, ScheduledExecutorService renderer) {
        scrapes.incrementAndGet();
        this.format = format;
        return metrics;
    }

    @Override
    public @Nullable Gateway gateway() {
        return null;
    }

    @Override
    public @Nullable Generations generations() {
        return null;
    }

    @Override
    public @Nullable Proposals proposals() {
        return null;
    }

    @Override
    public List<NameStatus> nameStatuses() {
        return List.of();
    }

    @Override
    public List<SourceStatus> sourceStatuses() {
        return List.of();
    }

    @Override
    public RecentTraffic traffic() {
        throw new UnsupportedOperationException("there is no traffic");
    }

    @Override
    public Losses losses() {
        return losses;
    }

    @Override
    public MirrorBook mirrors() {
        throw new UnsupportedOperationException("there is no traffic");
    }

    @Override
    public RecentExchanges exchanges() {
        return new RecentExchanges(1);
    }

    @Override
    public @Nullable RecordingSearch recording() {
        return null;
    }

    @Override
    public boolean standAside(boolean aside) {
        return false;
    }

    @Override
    public boolean drain() {
        return false;
    }

    @Override
    public @Nullable ProcessUpgrade upgrade() {
        return null;
    }
}
