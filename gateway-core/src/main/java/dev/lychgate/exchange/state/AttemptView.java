package dev.lychgate.exchange.state;

import dev.lychgate.error.GatewayError;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.upstream.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * One try within an exchange, as observers read it. Points in time are nanoseconds of {@link System#nanoTime()}, 0 where it
 * did not come so far. Valid on the exchange's event loop, while an observer is told of the exchange.
 */
public interface AttemptView {
    /** Where it went. */
    Endpoint endpoint();

    /** The name of the upstream that the endpoint was chosen from. */
    String upstream();

    /** What it repeats; null for the first one of its upstream. */
    @Nullable
    SentAgain again();

    /** When it went for a connection. */
    long began();

    /** When it had one; the same as {@link #began()} where one was at hand. */
    long connectedAt();

    /** How long its connection took to open, in nanoseconds; -1 if that was done for an earlier request, or has come to nothing. */
    long connectNanos();

    /** Whether its connection had carried requests before. */
    boolean isReused();

    /** When the head of its answer came. */
    long answeredAt();

    /** The status of its answer; 0 if none came. */
    int status();

    /** When it was over; later than its answer, by the body. */
    long endedAt();

    /** The id of its span; 0 if the exchange is in no trace, or nothing was sent. */
    long span();

    /** What went wrong with it; null if nothing did, or it was given up for another one. */
    @Nullable
    GatewayError failure();
}
