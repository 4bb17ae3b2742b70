package dev.lychgate.exchange;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.LoopGuard;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.exchange.attempt.EndpointPools;
import dev.lychgate.exchange.attempt.LoopUpstreams;
import dev.lychgate.exchange.filtering.FilterLoop;
import dev.lychgate.exchange.state.FilterTimes;
import dev.lychgate.generation.Generation;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.QuietPeriod;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.upstream.LoopBalancers;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** State that all exchanges of one event loop share. Used on that loop only. */
public final class Worker {
    private final Loop loop;
    private final LoopPools pools;
    private final Supplier<Generation> newest;
    final ExchangeObserver observer;
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
    private Generation generation;

    /**
     * @param newest supplies the newest generation, once per exchange
     * @param observer observes all exchanges, through its instance for this loop
     * @param blocking runs blocking filters
     */
    public Worker(
            Loop loop,
            LoopPools pools,
            Supplier<Generation> newest,
            ExchangeObserver observer,
            BlockingThreads blocking) {
        this.loop = loop;
        this.pools = pools;
        this.newest = newest;
        this.observer = observer.onLoop(loop);
        this.requestIds = new RequestIds(loop.random());
        this.filters = new FilterLoop(loop, new LoopGuard(), blocking, new FilterTimes.Spare());
        this.generation = newest.get();
        this.endpointPools = new EndpointPools(pools);
        endpointPools.adopt(generation.upstreams());
        this.balancers = new LoopBalancers(loop);
        this.overload = new Overload(loop);
        this.steps = new RequestSteps(new LoopUpstreams(loop, endpointPools, balancers), overload);
        if (generation.config().shedding() != null) {
            loop.eventLoop().execute(() -> overload.adopt(generation.config().shedding()));
        }
    }

    /** Loads classes that these settings need, before loops adopt them. Blocks; must not run on an event loop. */
    public static void prepare(GatewayConfig config) {
        Overload.prepare(config.shedding());
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

    /** Returns the newest generation. The loop's pools and balancers adopt a new one on the first call. */
    public Generation generation() {
        Generation current = newest.get();
        if (current != generation) {
            generation = current;
            endpointPools.adopt(current.upstreams());
            balancers.adopt(current.upstreams());
            overload.adopt(current.config().shedding());
        }
        return current;
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
