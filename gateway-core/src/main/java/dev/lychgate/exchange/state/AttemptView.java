package dev.lychgate.exchange.state;

import dev.lychgate.error.GatewayError;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.upstream.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * One try within an exchange, as observers read it. Points in time are nanoseconds of {@link System#nanoTime()}, 0 where it
 * did not come so far. Valid on the exchange's event loop, while an observer is told of the exchange.
 */
public abstract class AttemptView {
    protected final Endpoint endpoint;
    protected final long began;
    protected @Nullable SentAgain again;
    protected @Nullable GatewayError failure;
    protected long connectedAt;
    protected long connectNanos = -1;
    protected long answeredAt;
    protected long endedAt;
    protected boolean reused;
    protected long span;
    protected int status;

    protected AttemptView(Endpoint endpoint, long began) {
        this.endpoint = endpoint;
        this.began = began;
    }

    /** Where it went. */
    public final Endpoint endpoint() {
        return endpoint;
    }

    /** The name of the upstream that the endpoint was chosen from. */
    public abstract String upstream();

    /** What it repeats; null for the first one of its upstream. */
    public final @Nullable SentAgain again() {
        return again;
    }

    /** When it went for a connection. */
    public final long began() {
        return began;
    }

    /** When it had one; the same as {@link #began()} where one was at hand. */
    public final long connectedAt() {
        return connectedAt;
    }

    /** How long its connection took to open, in nanoseconds; -1 if that was done for an earlier request, or has come to nothing. */
    public final long connectNanos() {
        return connectNanos;
    }

    /** Whether its connection had carried requests before. */
    public final boolean isReused() {
        return reused;
    }

    /** When the head of its answer came. */
    public final long answeredAt() {
        return answeredAt;
    }

    /** The status of its answer; 0 if none came. */
    public final int status() {
        return status;
    }

    /** When it was over; later than its answer, by the body. */
    public final long endedAt() {
        return endedAt;
    }

    /** The id of its span; 0 if the exchange is in no trace, or nothing was sent. */
    public final long span() {
        return span;
    }

    /** What went wrong with it; null if nothing did, or it was given up for another one. */
    public final @Nullable GatewayError failure() {
        return failure;
    }
}
