package dev.lychgate.exchange.filtering;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.LoopGuard;
import dev.lychgate.exchange.state.FilterTimes;
import dev.lychgate.loop.Loop;

/**
 * The state that all filter runs of one event loop share.
 *
 * @param loop the event loop
 * @param guard exposes the running filter
 * @param blocking the threads of blocking filters
 * @param times the recycled records of filter calls
 */
public record FilterLoop(Loop loop, LoopGuard guard, BlockingThreads blocking, FilterTimes.Spare times) {
    int index() {
        return loop.index();
    }

    long nanoTime() {
        return loop.nanoTime();
    }
}
