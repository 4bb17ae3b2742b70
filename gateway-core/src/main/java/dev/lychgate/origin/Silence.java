package dev.lychgate.origin;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;

/**
 * Detects an origin that exceeds its response timeouts. The deadline stays in the deadline wheel across requests. When
 * the deadline expires, it checks whether the origin is the cause of the silence. If the gateway is the cause, the
 * deadline starts again.
 */
final class Silence extends Deadline {
    /** The receiver of the response to which the timeouts apply. */
    interface Awaiting {
        /** Returns whether a response or the rest of a response is awaited. */
        boolean isAwaiting();

        /**
         * Returns whether the gateway is the cause of the silence, because it has paused reading or the request is
         * incomplete.
         */
        boolean isHeldUpByUs();

        /** Reports that a response timeout has expired. */
        void onSilent(GatewayError error);
    }

    private final DeadlineWheel wheel;
    private final Awaiting awaiting;
    private SilenceLimits limits = new SilenceLimits(0, 0);
    private long lastActivity;
    private boolean headSeen;

    Silence(DeadlineWheel wheel, Awaiting awaiting) {
        this.wheel = wheel;
        this.awaiting = awaiting;
    }

    /** Starts the timeout of the response head. */
    void begin(SilenceLimits of) {
        limits = of;
        headSeen = false;
        heard();
        wheel.arm(this, limits.responseHead());
    }

    /** Records the response head and starts the body timeout. */
    void onHead() {
        headSeen = true;
        heard();
        if (limits.responseBody() < limits.responseHead()) {
            wheel.arm(this, limits.responseBody());
        }
    }

    boolean isHeadSeen() {
        return headSeen;
    }

    /** Restarts the current timeout. Called after data has arrived, or after a pause that the origin did not cause. */
    void heard() {
        lastActivity = wheel.now();
    }

    /**
     * Restarts the timeout of the response body after a read. Has no effect before the response head is complete:
     * neither a part of the head nor an interim response restarts the timeout of the head.
     */
    void read() {
        if (headSeen) {
            heard();
        }
    }

    /** Stops the timeouts. */
    void end() {
        wheel.disarm(this);
    }

    /** Removes the deadline from the wheel, because the connection is closed. */
    void remove() {
        wheel.remove(this);
    }

    @Override
    protected void onDeadline() {
        if (!awaiting.isAwaiting()) {
            return;
        }
        if (awaiting.isHeldUpByUs()) {
            heard();
        }
        long limit = headSeen ? limits.responseBody() : limits.responseHead();
        long silent = wheel.now() - lastActivity;
        if (silent < limit) {
            wheel.arm(this, limit - silent);
        } else if (headSeen) {
            awaiting.onSilent(GatewayError.upstream(
                    ErrorKind.RESPONSE_BODY_TIMEOUT, Retry.NEVER, "the origin stalled during its response"));
        } else {
            awaiting.onSilent(GatewayError.upstream(
                    ErrorKind.RESPONSE_TIMEOUT, Retry.NEVER, "the origin did not respond in time"));
        }
    }
}
