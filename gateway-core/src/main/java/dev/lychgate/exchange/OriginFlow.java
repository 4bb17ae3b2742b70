package dev.lychgate.exchange;

import dev.lychgate.exchange.attempt.Attempts;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.origin.OriginStream;
import org.jspecify.annotations.Nullable;

/** Controls reading of a response from its origin. Reading pauses while the client or a filter is slow. */
final class OriginFlow {
    private static final long READING = Long.MAX_VALUE;

    private final ForwardedExchange exchange;
    /**
     * The time at which reading from the origin was paused for a slow client, in nanoseconds of {@link
     * ExchangeState#now}; {@link #READING} if reading is not paused for this reason.
     */
    private long stalledSince = READING;

    OriginFlow(ForwardedExchange exchange) {
        this.exchange = exchange;
    }

    /**
     * Returns the stream of the attempt whose response is relayed; null if the response does not come from an origin.
     */
    @Nullable
    OriginStream stream() {
        Attempts attempts = exchange.attempts();
        return attempts == null ? null : attempts.sending();
    }

    /** Pauses reading. {@link #resume} ends the pause. */
    void pause() {
        OriginStream origin = stream();
        if (origin != null) {
            origin.pauseReading();
        }
    }

    /** Pauses reading, because the client is slow. */
    void stall() {
        OriginStream origin = stream();
        if (origin != null) {
            origin.pauseReading();
            if (stalledSince == READING) {
                stalledSince = exchange.state.now();
            }
        }
    }

    /**
     * Ends the stall, because the client has read all bytes that were waiting for it. Only {@link #stall} begins
     * another stall.
     */
    void endStall() {
        stalledSince = READING;
    }

    /** Resumes reading. */
    void resume() {
        stalledSince = READING;
        OriginStream origin = stream();
        if (origin != null) {
            origin.resumeReading();
        }
    }

    /**
     * Returns the time, in nanoseconds, for which reading has been paused because of a slow client; 0 if reading is not
     * paused for this reason.
     */
    long stalled() {
        return stalledSince == READING ? 0 : exchange.state.now() - stalledSince;
    }
}
