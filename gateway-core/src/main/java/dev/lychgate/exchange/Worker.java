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

/** What all exchanges of one event loop share. Used on that loop only. */
public final class Worker {
    private final Loop loop;
    private final LoopPools pools;
    private final Supplier<Generation> newest;
    final ExchangeObserver observer;
    private final RequestIds requestIds;
    private final EndpointPools endpointPools;
    final LoopBalancers balancers;
    /** What all filter runs of the loop share. */
    final FilterLoop filters;
    /** Runs the steps of requests. */
    final RequestSteps steps;
    /** Limits the log lines for faults of the gateway. */
    final QuietPeriod faults = new QuietPeriod();

    private final Overload overload;
    private Generation generation;

    /**
     * @param newest the newest generation; asked once per exchange
     * @param observer hears of every exchange, through its observer for this loop
     * @param blocking runs filters that block
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

    /** Loads what these settings need and loops must not wait for. Before loops meet them; blocks, on no event loop. */
    public static void prepare(GatewayConfig config) {
        Overload.prepare(config.shedding());
    }

    public Loop loop() {
        return loop;
    }

    public LoopPools pools() {
        return pools;
    }

    /** Exposes the filter that the loop runs; may be read on any thread. */
    public LoopGuard guard() {
        return filters.guard();
    }

    String nextRequestId() {
        return requestIds.next();
    }

    /** The newest generation; the first exchange that meets a new one lets this loop's pools and balancers adopt it. */
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
     * Makes the ids that requests are known by in logs: unlike any other's with a probability that does not matter, and cheap:
     * a random prefix per event loop and a count. One per loop.
     */
    private static final class RequestIds {
        private static final char[] HEX = "0123456789abcdef".toCharArray();

        private final char[] text = new char[24];
        private long count;

        RequestIds(SplittableRandom random) {
            hex(random.nextLong(), 0, 16);
            // Begins anywhere, so that ids do not tell how many requests there have been.
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
