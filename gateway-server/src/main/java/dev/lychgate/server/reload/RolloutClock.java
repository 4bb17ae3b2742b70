package dev.lychgate.server.reload;

import java.time.Instant;

/** The clock that rollouts use. */
interface RolloutClock {
    RolloutClock SYSTEM = new RolloutClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    };

    /** Returns a monotonic time in nanoseconds, to measure durations. */
    long nanos();

    /** Returns the time of day for messages. */
    Instant now();
}
