package dev.lychgate.exchange.state;

import dev.lychgate.error.GatewayError;
import dev.lychgate.resilience.SentAgain;
import dev.lychgate.upstream.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of an exchange, in the form that observers read. Points in time are nanoseconds of {@link
 * System#nanoTime()}; 0 means that the attempt has not reached this point. Valid only during a callback of an observer,
 * on the exchange's event loop.
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

    /** Returns the endpoint of the attempt. */
    public final Endpoint endpoint() {
        return endpoint;
    }

    /** Returns the name of the upstream to which the endpoint belongs. */
    public abstract String upstream();

    /** Returns the reason why the request is sent again; null for the first attempt at this upstream. */
    public final @Nullable SentAgain again() {
        return again;
    }

    /** Returns the time at which the attempt began. */
    public final long began() {
        return began;
    }

    /**
     * Returns the time at which the attempt leased a connection. If an idle connection was available, this is the time
     * of {@link #began()}.
     */
    public final long connectedAt() {
        return connectedAt;
    }

    /** Returns the connect time in nanoseconds; -1 if the connection was reused or could not be opened. */
    public final long connectNanos() {
        return connectNanos;
    }

    /** Returns whether the connection had carried earlier requests. */
    public final boolean isReused() {
        return reused;
    }

    /** Returns the time at which the response head arrived from the origin. */
    public final long answeredAt() {
        return answeredAt;
    }

    /** Returns the status of the response; 0 if no response has arrived. */
    public final int status() {
        return status;
    }

    /** Returns the time at which the attempt ended, after its response body. */
    public final long endedAt() {
        return endedAt;
    }

    /** Returns the id of the attempt's span; 0 if the exchange has no trace or the request has not been sent. */
    public final long span() {
        return span;
    }

    /** Returns the failure; null if the attempt succeeded, or was cancelled because another attempt was used. */
    public final @Nullable GatewayError failure() {
        return failure;
    }
}
