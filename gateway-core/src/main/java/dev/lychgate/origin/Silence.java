package dev.lychgate.origin;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.loop.Deadline;
import dev.lychgate.loop.DeadlineWheel;

/**
 * Watches for an origin that is silent for too long. Kept hanging in the wheel while requests come and go; it looks at what
 * is awaited when its time has come, and hangs itself further on if it was not the origin who kept us waiting.
 */
final class Silence extends Deadline {
    /** Whoever waits for the origin. */
    interface Awaiting {
        /** Whether an answer, or the rest of one, is awaited at all. */
        boolean isAwaiting();

        /** Whether it is our side that has stopped: nobody takes the answer, or the request is still to come. */
        boolean isHeldUpByUs();

        /** The origin has been silent for too long. */
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

    /** A request is sent, and its answer awaited. */
    void begin(SilenceLimits of) {
        limits = of;
        headSeen = false;
        heard();
        wheel.arm(this, limits.responseHead());
    }

    /** The head of the answer is there. */
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

    /** Something has come, or it was not the origin's fault that nothing has. */
    void heard() {
        lastActivity = wheel.now();
    }

    /** Something has come; before the head nothing counts but the head: no byte of it now and then, no interim answer. */
    void read() {
        if (headSeen) {
            heard();
        }
    }

    /** Nothing is awaited any more. */
    void end() {
        wheel.disarm(this);
    }

    /** The connection is gone. */
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
                    ErrorKind.RESPONSE_BODY_TIMEOUT, Retry.NEVER, "the origin fell silent within its answer"));
        } else {
            awaiting.onSilent(GatewayError.upstream(
                    ErrorKind.RESPONSE_TIMEOUT, Retry.NEVER, "the origin did not answer in time"));
        }
    }
}
