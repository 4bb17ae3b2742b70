package dev.lychgate.gateway;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorChooserFactory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Selects the event loop of each new channel, round robin among the loops that are not stalled. Thread-safe. */
final class AcceptingLoops implements EventExecutorChooserFactory, EventExecutorChooserFactory.EventExecutorChooser {
    private final AtomicLong turns = new AtomicLong();
    private volatile EventExecutor[] all = {};
    private volatile EventExecutor[] accepting = {};

    @Override
    public EventExecutorChooser newChooser(EventExecutor[] executors) {
        all = executors.clone();
        accepting = all;
        return this;
    }

    @Override
    public EventExecutor next() {
        EventExecutor[] now = accepting;
        return now[(int) ((turns.getAndIncrement() & Long.MAX_VALUE) % now.length)];
    }

    /**
     * Excludes the loops for which {@code standsStill} returns true from the selection. If {@code standsStill} returns
     * true for every loop, excludes no loop, because each channel needs a loop.
     */
    void leaveOut(Predicate<EventLoop> standsStill) {
        EventExecutor[] others = Arrays.stream(all)
                .filter(loop -> !standsStill.test((EventLoop) loop))
                .toArray(EventExecutor[]::new);
        accepting = others.length == 0 ? all : others;
    }
}
