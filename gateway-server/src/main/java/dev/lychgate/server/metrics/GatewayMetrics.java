package dev.lychgate.server.metrics;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filters.state.SharedState;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.loop.Loop;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.server.push.HttpPush;
import dev.lychgate.server.push.PushCounts;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All metrics of the gateway, and the registry that exposes them. An instance is first registered as the gateway's
 * observer, and then {@linkplain #bind bound} to the gateway. {@linkplain #figures Snapshots} may be requested on any
 * thread.
 *
 * <p>For a snapshot, each event loop copies its counts. The snapshot waits at most two seconds for the copies. For a
 * loop that does not respond in time, the snapshot contains the previous copy, and {@code lychgate_loops_silent} counts
 * the loop. Concurrent callers share one snapshot.
 */
public final class GatewayMetrics implements ExchangeObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayMetrics.class);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private volatile DurationBuckets buckets;
    private final MetricsThread thread = new MetricsThread();
    private final Rounds<Figures> rounds = new Rounds<>(thread, this::round);
    private final Rounds<Map<String, RouteCells>> routeRounds = new Rounds<>(thread, this::routeRound);
    private final List<LoopCells> loops = new CopyOnWriteArrayList<>();
    private final List<LoopProbe> probes = new CopyOnWriteArrayList<>();
    private final Map<LoopCells, Map<String, RouteCells>> lastCopies = new ConcurrentHashMap<>();
    private final Map<LoopProbe, LoopProbe.Findings> lastFindings = new ConcurrentHashMap<>();
    private final Map<String, PushCounts> pushes = new ConcurrentHashMap<>();
    private final List<Object> foreignCounts = new CopyOnWriteArrayList<>();
    private final Losses losses = new Losses();
    private final MirrorTallies mirrors = new MirrorTallies();
    private volatile Map<String, PoolCounters> lastPools = Map.of();
    private volatile @Nullable Gateway gateway;
    private volatile @Nullable SharedState state;
    private volatile @Nullable RolloutFigures rollouts;
    private volatile Supplier<@Nullable NodeRelease> release = () -> null;

    /**
     * The meters, created on first use because they and Micrometer would account for a large part of the classes loaded
     * at startup. Earlier registrations are queued in {@code waiting}. This list also serves as the lock for the meters
     * and for itself. Event loops use neither the meters nor the list.
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

    /**
     * Changes the buckets of the duration histograms of exchanges. Each event loop begins new histograms, so their
     * counts restart from 0. All other counts continue.
     */
    public void use(DurationBuckets changed) {
        buckets = changed;
        loops.forEach(cells -> cells.use(changed));
    }

    /** Adds the listeners, pools, filters and generation of {@code running}. Must be called once. */
    public void bind(Gateway running) {
        gateway = running;
    }

    /** Adds the instruments and caches of filters. Must be called once. */
    public void bind(SharedState filters) {
        state = filters;
    }

    /** Adds the release that this node of a fleet serves. The release is null until the node has started. */
    public void bind(Supplier<@Nullable NodeRelease> serving) {
        release = serving;
    }

    /** Adds the rollouts. Must be called once. */
    public void bind(RolloutFigures running) {
        rollouts = running;
    }

    /**
     * Exposes an external count, which must never decrease and must be cheap to read. If a metric of another type
     * already has the name, the count is not exposed, and the first snapshot logs the conflict.
     *
     * @param labels alternating names and values
     */
    public void counter(String name, String description, LongSupplier count, String... labels) {
        // The count is kept here, because Micrometer holds only a weak reference to it.
        foreignCounts.add(count);
        showIn(registry -> FunctionCounter.builder(name, count, LongSupplier::getAsLong)
                .description(description)
                .tags(labels)
                .register(registry));
    }

    /**
     * Exposes a count of lost items, as {@link #counter} does, and adds the count to {@link #losses}.
     *
     * @param of the log or receiver that lost the items
     */
    public void loss(
            Losses.Kind kind, String of, String name, String description, LongSupplier count, String... labels) {
        counter(name, description, count, labels);
        losses.add(kind, of, name.replace('.', '_') + "_total", count);
    }

    public Losses losses() {
        return losses;
    }

    /** Returns the counts of mirrors. The observer of mirrors updates them. */
    public MirrorTallies mirrors() {
        return mirrors;
    }

    /** Exposes an external value that may decrease. In all other respects, this method works like {@link #counter}. */
    public void gauge(String name, String description, LongSupplier figure, String... labels) {
        foreignCounts.add(figure);
        showIn(registry -> Gauge.builder(name, figure, LongSupplier::getAsLong)
                .description(description)
                .tags(labels)
                .register(registry));
    }

    /**
     * Exposes the counts of a push, or adds them to the counts of an earlier push to the same receiver.
     *
     * @param receiver the name of the receiver in one word, such as {@code opentsdb}
     */
    public void push(String receiver, HttpPush push) {
        push(receiver, push, counts -> showPush(receiver, counts));
    }

    /**
     * Adds a push to the counts of a receiver.
     *
     * @param first exposes the counts; called for the first push to the receiver
     */
    public void push(String receiver, HttpPush push, Consumer<PushCounts> first) {
        PushCounts counts = new PushCounts();
        PushCounts known = pushes.putIfAbsent(receiver, counts);
        if (known == null) {
            first.accept(counts);
            known = counts;
        }
        known.add(push);
    }

    private void showPush(String receiver, PushCounts push) {
        String[] label = {"receiver", receiver};
        counter("lychgate.push.delivered", "Items that the receiver accepted", push::delivered, label);
        String dropped = "lychgate.push.dropped";
        loss(
                Losses.Kind.RECEIVER,
                receiver,
                dropped,
                "Items that were lost before the receiver accepted them",
                push::dropped,
                label);
        String failed = "lychgate.push.failed.tries";
        String untaken = "Requests that the receiver did not accept";
        loss(Losses.Kind.RECEIVER, receiver, failed, untaken, push::failedTries, label);
        gauge("lychgate.push.waiting", "Items that are queued or being processed", push::waiting, label);
    }

    /**
     * Returns the registry, to which an application can add its own meters. Must not be called on an event loop,
     * because the first call takes about 100 ms.
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
     * Registers a meter. A meter that is invalid, for example because its name already has another type, is only logged
     * and does not affect other meters.
     */
    private static void show(Consumer<MeterRegistry> meter, MeterRegistry registry) {
        try {
            meter.accept(registry);
        } catch (RuntimeException e) {
            LOG.error("metrics: a metric can't be registered, so it is missing", e);
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
     * Takes a snapshot of the state after this call. The future completes on the metrics thread within seconds, and
     * fails after {@link #close}.
     */
    public CompletableFuture<Figures> figures() {
        return rounds.next();
    }

    /**
     * Takes a snapshot and passes it to {@code taker} on the metrics thread, where {@code taker} must not block.
     *
     * @return a future that completes when {@code taker} has returned
     */
    public CompletableFuture<Void> take(Consumer<Figures> taker) {
        return figures().thenAcceptAsync(taker, thread);
    }

    /** Calls {@link #take} repeatedly, until the returned future is cancelled. Failures are logged. */
    public Future<?> every(Duration interval, Consumer<Figures> taker) {
        return thread.scheduleAtFixedRate(
                () -> take(taker).exceptionally(fault -> {
                    LOG.warn("metrics: an export failed because of an internal error; later exports continue", fault);
                    return null;
                }),
                interval.toNanos(),
                interval.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /**
     * Runs {@code what} on the metrics thread, where it must not block.
     *
     * @return a future that can cancel the run
     */
    public Future<?> later(Duration delay, Runnable what) {
        return thread.schedule(what, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Takes a snapshot and formats it.
     *
     * @param renderer the thread that formats the snapshot, which takes some milliseconds; must not be an event loop
     *     that serves traffic
     */
    public CompletableFuture<String> scrape(MetricsFormat format, ScheduledExecutorService renderer) {
        return figures().thenApplyAsync(figures -> figures.text(format), renderer);
    }

    /**
     * Returns the exchange counts by route, summed over all event loops. The method works like {@link #figures}, but
     * needs only a fraction of the CPU time.
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
                                    release.get(),
                                    mirrors),
                    cells);
        });
    }

    /** Ends snapshots and exports. The event loops continue to count. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
