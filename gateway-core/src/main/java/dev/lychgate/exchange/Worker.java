package dev.lychgate.exchange;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filter.LoopGuard;
import dev.lychgate.generation.Generation;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.QuietPeriod;
import dev.lychgate.pool.LoopPools;
import dev.lychgate.upstream.LoopBalancers;
import java.util.function.Supplier;

/** What all exchanges of one event loop share. Used on that loop only. */
public final class Worker {
    private final Loop loop;
    private final LoopPools pools;
    private final Supplier<Generation> newest;
    private final ExchangeObserver observer;
    private final RequestIds requestIds;
    private final EndpointPools endpointPools;
    private final LoopBalancers balancers;
    private final BlockingThreads blocking;
    private final LoopGuard guard = new LoopGuard();
    private final QuietPeriod faults = new QuietPeriod();
    private final Overload overload;
    private final FilterTimes.Spare filterTimes = new FilterTimes.Spare();
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
        this.blocking = blocking;
        this.generation = newest.get();
        this.endpointPools = new EndpointPools(pools);
        endpointPools.adopt(generation.upstreams());
        this.balancers = new LoopBalancers(loop);
        this.overload = new Overload(loop);
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

    EndpointPools endpointPools() {
        return endpointPools;
    }

    LoopBalancers balancers() {
        return balancers;
    }

    /** Says whose requests are refused when there is too much to do. */
    Overload overload() {
        return overload;
    }

    ExchangeObserver observer() {
        return observer;
    }

    BlockingThreads blocking() {
        return blocking;
    }

    /** Says which filter the loop is in; may be read from any thread. */
    public LoopGuard guard() {
        return guard;
    }

    /** Where exchanges that meet filters write down when these ran. */
    FilterTimes.Spare filterTimes() {
        return filterTimes;
    }

    /** When the log is told of a fault of ours. */
    QuietPeriod faults() {
        return faults;
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
}
