package dev.lychgate.loop;

import io.netty.channel.EventLoop;
import java.time.Duration;

/**
 * A loop whose time stands still until it is told to pass, for tests of what waits. Never {@linkplain #start() started}.
 */
public final class VirtualLoop extends Loop {
    /** Not 0, which stands for "never" in some places. */
    private static final long BEGINNING = Duration.ofHours(1).toNanos();

    private long time = BEGINNING;

    /** @param eventLoop runs tasks when its owner lets it, on the owner's thread */
    public VirtualLoop(EventLoop eventLoop) {
        this(eventLoop, Turn.unlimited());
    }

    /** @param turn ended by the owner */
    public VirtualLoop(EventLoop eventLoop, Turn turn) {
        super(eventLoop, 0, turn, BEGINNING);
    }

    @Override
    long clock() {
        return time;
    }

    /**
     * Lets {@code duration} pass, and one tick of the wheel with it: what was armed for that long is told before this
     * returns, on the caller's thread.
     */
    public void advance(Duration duration) {
        long ticks = Math.floorDiv(duration.toNanos() + DeadlineWheel.TICK - 1, DeadlineWheel.TICK) + 1;
        for (long i = 0; i < ticks; i++) {
            time += DeadlineWheel.TICK;
            sweep();
        }
    }
}
