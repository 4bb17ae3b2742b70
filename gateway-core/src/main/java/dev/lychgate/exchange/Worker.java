package dev.lychgate.exchange;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.LoopGuard;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.exchange.attempt.EndpointPools;
import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.call.MirrorEnd;
import dev.lychgate.exchange.filtering.FilterLoop;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.exchange.state.FilterTimes;
import dev.lychgate.generation.Generation;
import dev.lychgate.generation.Traffic;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.QuietPeriod;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.upstream.LoopBalancers;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** State that all exchanges of one event loop share. Used on that loop only. */
public final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private final Loop loop;
    private final LoopPools pools;
    private final Supplier<Traffic> newest;
    final ExchangeObserver observer;
    /** Null if no exchanges are recorded in full. */
    final ExchangeTap.@Nullable Source taps;

    private final RequestIds requestIds;
    private final EndpointPools endpointPools;
    final LoopBalancers balancers;
    /** State that all filter runs of the loop share. */
    final FilterLoop filters;
    /** Runs the steps of requests. */
    final RequestSteps steps;
    /** Limits the log lines for internal errors. */
    final QuietPeriod faults = new QuietPeriod();

    private final Overload overload;
    private Traffic traffic;

    /**
     * @param newest supplies the generations in force, once per exchange
     * @param observer observes all exchanges, through its instance for this loop
     * @param blocking runs blocking filters
     */
    public Worker(
            Loop loop, LoopPools pools, Supplier<Traffic> newest, ExchangeObserver observer, BlockingThreads blocking) {
        this.loop = loop;
        this.pools = pools;
        this.newest = newest;
        this.observer = observer.onLoop(loop);
        this.taps = this.observer.taps();
        this.requestIds = new RequestIds(loop.random());
        this.filters = new FilterLoop(loop, new LoopGuard(), blocking, new FilterTimes.Spare());
        this.traffic = newest.get();
        this.endpointPools = new EndpointPools(pools);
        endpointPools.adopt(traffic.upstreams());
        this.balancers = new LoopBalancers(loop);
        this.overload = new Overload(loop);
        this.steps = new RequestSteps(
                new LoopUpstreams(loop, endpointPools, balancers), overload, new LastingFaults(loop), this::onMirrored);
        if (traffic.stable().config().shedding() != null) {
            loop.eventLoop()
                    .execute(() -> overload.adopt(traffic.stable().config().shedding()));
        }
    }

    /** Loads classes that these settings need, before loops adopt them. Blocks; must not run on an event loop. */
    public static void prepare(GatewayConfig config) {
        Overload.prepare(config.shedding());
    }

    private void onMirrored(MirrorEnd copy) {
        try {
            observer.onMirrored(copy);
        } catch (RuntimeException e) {
            // The copy may end within an event of a client's exchange.
            LOG.error("exchange observer threw an exception on a copy of a request", e);
        }
    }

    public Loop loop() {
        return loop;
    }

    public LoopPools pools() {
        return pools;
    }

    /** Returns the guard of the loop's filter calls; thread-safe. */
    public LoopGuard guard() {
        return filters.guard();
    }

    String nextRequestId() {
        return requestIds.next();
    }

    /**
     * Returns the stable generation, which an exchange begins with. The loop's pools and balancers adopt other generations on the
     * first call.
     */
    public Generation generation() {
        Traffic current = newest.get();
        if (current != traffic) {
            adopt(current);
        }
        return current.stable();
    }

    /** Returns the candidate beside the generation of the last call of {@link #generation}; null if there is none. */
    Traffic.@Nullable Candidate candidate() {
        return traffic.candidate();
    }

    /** Releases exchanges from the effects of faults that have ended. */
    public void onFaultsEnded() {
        steps.lastingFaults().onFaultsEnded();
    }

    private void adopt(Traffic current) {
        boolean others = !current.hasGenerationsOf(traffic);
        traffic = current;
        // Another share of the same candidate changes nothing else.
        if (others) {
            endpointPools.adopt(current.upstreams());
            balancers.adopt(current.upstreams());
            overload.adopt(current.stable().config().shedding());
        }
    }

    /**
     * Generates request ids: a random prefix per event loop and a counter. Collisions are improbable. One instance per loop.
     */
    private static final class RequestIds {
        private static final char[] HEX = "0123456789abcdef".toCharArray();

        private final char[] text = new char[24];
        private long count;

        RequestIds(SplittableRandom random) {
            hex(random.nextLong(), 0, 16);
            // Starts at random, so that ids do not reveal the number of requests.
            count = random.nextInt() & 0xffffffffL;
        }

        String next() {
            hex(count++, 16, 8);
            return new String(text);
        }

        private void hex(long value, int at, int digits) {
            for (int i = 0; i < digits; i++) {
                text[at + i] = HEX[(int) (value >>> (4 * (digits - 1 - i))) & 15];
            }
        }
    }
}
