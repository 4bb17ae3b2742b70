package dev.lychgate.server.metrics;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filters.state.SharedState;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.loop.Loop;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.server.push.HttpPush;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All metrics of the gateway and the registry that exposes them. Register it as the gateway's observer, then
 * {@linkplain #bind bind} it to the gateway. {@linkplain #figures Snapshots} may be requested on any thread.
 *
 * <p>For a snapshot, each event loop is requested to copy its cells. The snapshot waits for the copies for at most two
 * seconds. For a loop that does not respond, the previous copy is exposed, and {@code lychgate_loops_silent} counts the
 * loop. Concurrent callers share one snapshot.
 */
public final class GatewayMetrics implements ExchangeObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayMetrics.class);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final DurationBuckets buckets;
    private final MetricsThread thread = new MetricsThread();
    private final Rounds<Figures> rounds = new Rounds<>(thread, this::round);
    private final Rounds<Map<String, RouteCells>> routeRounds = new Rounds<>(thread, this::routeRound);
    private final List<LoopCells> loops = new CopyOnWriteArrayList<>();
    private final List<LoopProbe> probes = new CopyOnWriteArrayList<>();
    private final Map<LoopCells, Map<String, RouteCells>> lastCopies = new ConcurrentHashMap<>();
    private final Map<LoopProbe, LoopProbe.Findings> lastFindings = new ConcurrentHashMap<>();
    private final List<Object> foreignCounts = new CopyOnWriteArrayList<>();
    private final Losses losses = new Losses();
    private final MirrorTallies mirrors = new MirrorTallies();
    private volatile Map<String, PoolCounters> lastPools = Map.of();
    private volatile @Nullable Gateway gateway;
    private volatile @Nullable SharedState state;
    private volatile @Nullable RolloutFigures rollouts;

    /**
     * Created on first use, because Micrometer and all meters account for a large part of the classes that would be
     * loaded at the start. Until then, registrations are queued. {@code waiting} guards both the meters and the queue;
     * event loops use neither.
     */
    private @Nullable Meters meters;

    private final List<Consumer<MeterRegistry>> waiting = new ArrayList<>();

    /** Creates metrics with the default buckets. */
    public GatewayMetrics() {
        this(DurationBuckets.DEFAULT);
    }

    /** @param buckets the buckets of the duration histograms of exchanges */
    public GatewayMetrics(DurationBuckets buckets) {
        this.buckets = buckets;
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        LoopCells cells = new LoopCells(loop, buckets);
        loops.add(cells);
        LoopProbe probe = new LoopProbe(loop);
        probes.add(probe);
        probe.start();
        return cells;
    }

    @Override
    public void onClosed(Exchange exchange) {
        throw new UnsupportedOperationException("use the observer of a loop");
    }

    /** Adds the listeners, pools, filters and generation of {@code running}. Must be called once. */
    public void bind(Gateway running) {
        gateway = running;
    }

    /** Adds the instruments and caches of filters. Must be called once. */
    public void bind(SharedState filters) {
        state = filters;
    }

    /** Adds the rollouts; call once. */
    public void bind(RolloutFigures running) {
        rollouts = running;
    }

    /**
     * Exposes an external count, which must only grow and be cheap to read. If the name already belongs to a metric of
     * another type, the count is not exposed, and the first snapshot logs this.
     *
     * @param labels alternating names and values
     */
    public void counter(String name, String description, LongSupplier count, String... labels) {
        // Kept here because Micrometer has only a weak reference.
        foreignCounts.add(count);
        showIn(registry -> FunctionCounter.builder(name, count, LongSupplier::getAsLong)
                .description(description)
                .tags(labels)
                .register(registry));
    }

    /**
     * Works like {@link #counter}, but for losses, which {@link #losses} also reports.
     *
     * @param of the log or receiver
     */
    public void loss(
            Losses.Kind kind, String of, String name, String description, LongSupplier count, String... labels) {
        counter(name, description, count, labels);
        losses.add(kind, of, name.replace('.', '_') + "_total", count);
    }

    public Losses losses() {
        return losses;
    }

    /** Returns the counts of mirrors, for the observer that counts. */
    public MirrorTallies mirrors() {
        return mirrors;
    }

    /** Works like {@link #counter}, but for an external value that may decrease. */
    public void gauge(String name, String description, LongSupplier figure, String... labels) {
        foreignCounts.add(figure);
        showIn(registry -> Gauge.builder(name, figure, LongSupplier::getAsLong)
                .description(description)
                .tags(labels)
                .register(registry));
    }

    /** Exposes the state of a push. @param receiver the name of the receiver, one word: {@code opentsdb} */
    public void push(String receiver, HttpPush push) {
        String[] label = {"receiver", receiver};
        counter("lychgate.push.delivered", "Items that the receiver accepted", push::deliveredItems, label);
        String dropped = "lychgate.push.dropped";
        loss(
                Losses.Kind.RECEIVER,
                receiver,
                dropped,
                "Items that were lost before the receiver accepted them",
                push::droppedItems,
                label);
        String failed = "lychgate.push.failed.tries";
        String untaken = "Requests that the receiver did not accept";
        loss(Losses.Kind.RECEIVER, receiver, failed, untaken, push::failedTries, label);
        gauge("lychgate.push.waiting", "Items that are queued or being processed", push::waitingItems, label);
    }

    /**
     * Returns the registry, for the application's own meters. Must not be called on an event loop, because the first
     * call takes about 100 ms.
     */
    public MeterRegistry registry() {
        return meters().registry;
    }

    private void showIn(Consumer<MeterRegistry> meter) {
        synchronized (waiting) {
            if (meters == null) {
                waiting.add(meter);
            } else {
                show(meter, meters.registry);
            }
        }
    }

    /**
     * Registers a meter. If it is invalid, for example because its name already has another type, other meters are not
     * affected.
     */
    private static void show(Consumer<MeterRegistry> meter, MeterRegistry registry) {
        try {
            meter.accept(registry);
        } catch (RuntimeException e) {
            LOG.error("a metric can't be read", e);
        }
    }

    private Meters meters() {
        synchronized (waiting) {
            if (meters == null) {
                Meters made = new Meters();
                waiting.forEach(meter -> show(meter, made.registry));
                waiting.clear();
                meters = made;
            }
            return meters;
        }
    }

    /**
     * Takes a snapshot of the state after this call. Completes on the metrics thread, within seconds; fails after
     * {@link #close}.
     */
    public CompletableFuture<Figures> figures() {
        return rounds.next();
    }

    /**
     * Takes a snapshot and passes it to {@code taker} on the metrics thread, where {@code taker} must not block.
     *
     * @return completes after {@code taker} returns
     */
    public CompletableFuture<Void> take(Consumer<Figures> taker) {
        return figures().thenAcceptAsync(taker, thread);
    }

    /** Works like {@link #take}, but repeatedly, until the result is cancelled. Failures are logged. */
    public Future<?> every(Duration interval, Consumer<Figures> taker) {
        return thread.scheduleAtFixedRate(
                () -> take(taker).exceptionally(fault -> {
                    LOG.warn("metrics cannot be exported: internal error", fault);
                    return null;
                }),
                interval.toNanos(),
                interval.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /**
     * Runs {@code what} on the metrics thread, where it must not block.
     *
     * @return a future that cancels the run
     */
    public Future<?> later(Duration delay, Runnable what) {
        return thread.schedule(what, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Takes a snapshot and formats it.
     *
     * @param renderer runs the formatting, which takes some milliseconds; it must not be an event loop that serves
     *     traffic
     */
    public CompletableFuture<String> scrape(MetricsFormat format, ScheduledExecutorService renderer) {
        return figures().thenApplyAsync(figures -> figures.text(format), renderer);
    }

    /**
     * Returns the sums of the loops' exchange counts by route. Works like {@link #figures}, at a fraction of the cost.
     */
    CompletableFuture<Map<String, RouteCells>> routes() {
        return routeRounds.next();
    }

    private CompletableFuture<Map<String, RouteCells>> routeRound() {
        Questions questions = new Questions(thread);
        askForCells(questions, new AtomicLong());
        return questions.settled(LONGEST_WAIT).thenApply(done -> LoopCells.sum(lastCopies.values()));
    }

    private void askForCells(Questions questions, AtomicLong silent) {
        for (LoopCells cells : loops) {
            questions.ask(cells::copy, copy -> lastCopies.put(cells, copy), () -> {
                silent.incrementAndGet();
                Map<String, RouteCells> rest = cells.rest();
                if (rest != null) {
                    lastCopies.put(cells, rest);
                }
            });
        }
    }

    private CompletableFuture<Figures> round() {
        Questions questions = new Questions(thread);
        AtomicLong silent = new AtomicLong();
        askForCells(questions, silent);
        for (LoopProbe probe : probes) {
            questions.ask(probe::findings, found -> lastFindings.put(probe, found), () -> {});
        }
        Gateway running = gateway;
        if (running != null) {
            questions.ask(running::poolCounters, counters -> lastPools = counters, () -> {});
        }
        return questions.settled(LONGEST_WAIT).thenApply(done -> {
            Map<String, RouteCells> cells = LoopCells.sum(lastCopies.values());
            return new Figures(
                    Instant.now(),
                    meters().show(
                                    cells,
                                    lastFindings.values(),
                                    silent.intValue(),
                                    lastPools,
                                    running,
                                    state,
                                    rollouts,
                                    mirrors),
                    cells);
        });
    }

    /** Ends exposure. Counting continues. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
