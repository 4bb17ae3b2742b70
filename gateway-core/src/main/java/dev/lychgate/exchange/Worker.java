package dev.lychgate.exchange;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.LoopGuard;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.exchange.attempt.EndpointPools;
import dev.lychgate.exchange.attempt.LoopUpstreams;
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

/** The state that all exchanges of one event loop share. Used on that loop, except for methods that state otherwise. */
public final class Worker {
    private final Loop loop;
    private final LoopPools pools;
    private final Supplier<Traffic> newest;
    final IsolatedObserver observer;
    /** Null if no exchanges are recorded in full. */
    final ExchangeTap.@Nullable Source taps;

    private final RequestIds requestIds;
    private final EndpointPools endpointPools;
    final LoopBalancers balancers;
    /** The state that all filter runs of the loop share. */
    final FilterLoop filters;
    /** Runs the steps of requests. */
    final RequestSteps steps;
    /** Limits the number of log lines for internal errors. */
    final QuietPeriod faults = new QuietPeriod();

    private final Overload overload;
    private Traffic traffic;

    /**
     * Creates the state of one event loop.
     *
     * @param newest returns the generations in force; called once per exchange
     * @param observer supplies the observer of this loop's exchanges
     * @param blocking runs blocking filters
     */
    public Worker(
            Loop loop, LoopPools pools, Supplier<Traffic> newest, ExchangeObserver observer, BlockingThreads blocking) {
        this.loop = loop;
        this.pools = pools;
        this.newest = newest;
        ExchangeObserver own = observer.onLoop(loop);
        this.observer = new IsolatedObserver(own);
        this.taps = own.taps();
        this.requestIds = new RequestIds(loop.random());
        this.filters = new FilterLoop(loop, new LoopGuard(), blocking, new FilterTimes.Spare());
        this.traffic = newest.get();
        this.endpointPools = new EndpointPools(pools);
        endpointPools.adopt(traffic.upstreams());
        this.balancers = new LoopBalancers(loop);
        this.overload = new Overload(loop);
        this.steps = new RequestSteps(
                new LoopUpstreams(loop, endpointPools, balancers),
                overload,
                new LastingFaults(loop),
                this.observer::onMirrored);
        if (traffic.stable().config().overload() != null) {
            loop.eventLoop()
                    .execute(() -> overload.adopt(traffic.stable().config().overload()));
        }
    }

    /**
     * Loads the classes that a configuration needs. Called before event loops adopt the configuration. Blocks, so it
     * must not be called on an event loop.
     */
    public static void prepare(GatewayConfig config) {
        Overload.prepare(config.overload());
    }

    public Loop loop() {
        return loop;
    }

    public LoopPools pools() {
        return pools;
    }

    /** Returns the guard of the loop's filter calls. Thread-safe. */
    public LoopGuard guard() {
        return filters.guard();
    }

    String nextRequestId() {
        return requestIds.next();
    }

    /**
     * Returns the stable generation, with which each exchange begins. After a change of the generations in force, the
     * first call makes the pools and balancers of the loop adopt the new generations.
     */
    public Generation generation() {
        Traffic current = newest.get();
        if (current != traffic) {
            adopt(current);
        }
        return current.stable();
    }

    /**
     * Returns the candidate that was in force at the last call of {@link #generation}; null if there was no candidate.
     */
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
        // If only the split between the same generations has changed, pools and balancers stay the same.
        if (others) {
            endpointPools.adopt(current.upstreams());
            balancers.adopt(current.upstreams());
            overload.adopt(current.stable().config().overload());
        }
    }

    /**
     * Generates request ids from a random prefix per event loop and a counter, so collisions are improbable. Each loop
     * has one instance.
     */
    private static final class RequestIds {
        private static final char[] HEX = "0123456789abcdef".toCharArray();

        private final char[] text = new char[24];
        private long count;

        RequestIds(SplittableRandom random) {
            hex(random.nextLong(), 0, 16);
            // The counter starts at a random number, so that ids do not reveal the number of requests.
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
