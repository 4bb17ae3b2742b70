package dev.lychgate.pool;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.loop.Deadline;
import dev.lychgate.proxyprotocol.ProxyHeader;

/** A request that waits for a connection. */
public final class PendingAcquire extends Deadline {
    private final WaitQueue queue;
    final boolean freshOnly;
    private final AcquireListener listener;
    private boolean settled;
    private boolean served;

    PendingAcquire(WaitQueue queue, boolean freshOnly, AcquireListener listener) {
        this.queue = queue;
        this.freshOnly = freshOnly;
        this.listener = listener;
    }

    /** Cancels the wait. The listener is not notified. */
    public void cancel() {
        if (!settled) {
            settled = true;
            queue.take(this);
        }
    }

    ProxyHeader onBehalfOf() {
        return listener.onBehalfOf();
    }

    /**
     * Returns whether a connect is in progress for this request alone, so that no other request may use the connection.
     */
    boolean isServed() {
        return served;
    }

    void serve() {
        served = true;
    }

    void give(ConnectionLease lease) {
        settled = true;
        listener.onLease(lease);
    }

    void fail(GatewayError error) {
        settled = true;
        listener.onAcquireFailed(error);
    }

    @Override
    protected void onDeadline() {
        if (!settled) {
            settled = true;
            queue.take(this);
            listener.onAcquireFailed(GatewayError.local(
                    ErrorKind.ACQUIRE_TIMEOUT, "no connection to the upstream became available in time"));
        }
    }
}
