package dev.lychgate.exchange.filtering;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.LoopGuard;
import dev.lychgate.exchange.state.FilterTimes;
import dev.lychgate.loop.Loop;

/**
 * What all filter runs of one event loop share.
 *
 * @param loop the event loop
 * @param guard exposes the filter that runs on it
 * @param blocking the threads of filters that block
 * @param times unused records of when filters ran
 */
public record FilterLoop(Loop loop, LoopGuard guard, BlockingThreads blocking, FilterTimes.Spare times) {
    int index() {
        return loop.index();
    }

    long nanoTime() {
        return loop.nanoTime();
    }
}
