package dev.lychgate.loop;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * A loop with virtual time, for exchanges without sockets. Never {@linkplain #start() started}.
 */
public final class VirtualLoop extends Loop {
    /** Not 0, because some fields use 0 for "never". */
    private static final long BEGINNING = Duration.ofHours(1).toNanos();

    private long time = BEGINNING;

    /** @param eventLoop runs tasks on its owner's thread, when the owner calls it */
    public VirtualLoop(EventLoop eventLoop) {
        this(eventLoop, Turn.unlimited());
    }

    /** @param turn ended by the owner */
    public VirtualLoop(EventLoop eventLoop, Turn turn) {
        super(eventLoop, 0, turn, BEGINNING);
    }

    /** Draws the random numbers that follow {@code seed} from now on. Objects that have drawn before keep their source. */
    public void seed(long seed) {
        random(new SplittableRandom(seed));
    }

    @Override
    long clock() {
        return time;
    }

    /**
     * Advances the time by {@code duration} and one further tick of the wheel. Deadlines that were armed with a delay
     * of at most {@code duration} run before this method returns, on the caller's thread.
     */
    public void advance(Duration duration) {
        long ticks = Math.floorDiv(duration.toNanos() + DeadlineWheel.TICK - 1, DeadlineWheel.TICK) + 1;
        for (long i = 0; i < ticks; i++) {
            time += DeadlineWheel.TICK;
            sweep();
        }
    }
}
