package dev.lychgate.loop;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.SplittableRandom;

/** A loop with virtual time, for exchanges without sockets. It is never {@linkplain #start() started}. */
public final class VirtualLoop extends Loop {
    /** The initial time, in nanoseconds. It is not 0, because some fields use 0 for "never". */
    private static final long BEGINNING = Duration.ofHours(1).toNanos();

    private long time = BEGINNING;

    /**
     * Creates a loop with an unlimited quota.
     *
     * @param eventLoop an event loop that runs tasks on the thread of its owner, when the owner calls the loop
     */
    public VirtualLoop(EventLoop eventLoop) {
        this(eventLoop, Turn.unlimited());
    }

    /**
     * Creates a loop with a given quota.
     *
     * @param turn the quota; the owner {@linkplain Turn#end ends} each turn
     */
    public VirtualLoop(EventLoop eventLoop, Turn turn) {
        super(eventLoop, 0, turn, BEGINNING);
    }

    /**
     * Replaces the random number generator by one with this seed. Objects that already have a reference to the previous
     * generator keep it.
     */
    public void seed(long seed) {
        random(new SplittableRandom(seed));
    }

    @Override
    long clock() {
        return time;
    }

    /**
     * Advances the time by {@code nanos} nanoseconds without running deadlines. On a real loop, a task with this
     * duration has the same effect.
     */
    void elapse(long nanos) {
        time += nanos;
    }

    /**
     * Advances the time by {@code duration}, rounded up to whole ticks of the wheel, plus one tick. Deadlines that were
     * armed with a delay of at most {@code duration} run before this method returns, on the caller's thread.
     */
    public void advance(Duration duration) {
        long ticks = Math.floorDiv(duration.toNanos() + DeadlineWheel.TICK - 1, DeadlineWheel.TICK) + 1;
        for (long i = 0; i < ticks; i++) {
            time += DeadlineWheel.TICK;
            sweep();
        }
    }
}
