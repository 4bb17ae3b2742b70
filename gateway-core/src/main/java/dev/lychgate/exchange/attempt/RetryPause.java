package dev.lychgate.exchange.attempt;

import dev.lychgate.loop.Loop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The pause before a retry. Used on the exchange's event loop. */
final class RetryPause {
    /** The shortest pause, in nanoseconds. A shorter pause does not justify a timer. */
    static final long LEAST = TimeUnit.MILLISECONDS.toNanos(1);

    private final Runnable due;
    private @Nullable ScheduledFuture<?> timer;

    private RetryPause(Runnable due) {
        this.due = due;
    }

    /**
     * Begins a pause.
     *
     * @param due runs after {@code nanos}, unless the pause is cancelled
     */
    static RetryPause begin(Loop loop, long nanos, Runnable due) {
        RetryPause pause = new RetryPause(due);
        pause.timer = loop.eventLoop().schedule(pause::end, nanos, TimeUnit.NANOSECONDS);
        return pause;
    }

    private void end() {
        timer = null;
        due.run();
    }

    /** Cancels the pause. Has no effect if the pause has ended. */
    void cancel() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
