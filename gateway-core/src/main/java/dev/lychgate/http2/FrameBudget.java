package dev.lychgate.http2;

import dev.lychgate.loop.DeadlineWheel;

/**
 * Limits costly frames of a peer with two token buckets:
 *
 * <ul>
 *   <li>Resets: each stream reset costs one token, whatever its error code and sender are, because a peer can also
 *       provoke resets by the gateway.
 *   <li>Frames without message data: PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA and unknown types cost one
 *       token each. Each new stream and each sent DATA frame adds tokens.
 * </ul>
 */
final class FrameBudget {
    private static final double WITHIN_SECONDS = 30;
    private static final int EMPTY_FRAMES = 2000;
    private static final int EMPTY_FRAMES_PER_SECOND = 100;
    private static final int PER_STREAM = 8;
    private static final int PER_DATA_FRAME = 4;

    private final DeadlineWheel clock;
    private final Allowance resets;
    private final Allowance empty;
    private final boolean limited;

    FrameBudget(int resets, DeadlineWheel clock) {
        this.clock = clock;
        this.limited = resets > 0;
        this.resets = new Allowance(resets, resets / WITHIN_SECONDS, clock.now());
        this.empty = new Allowance(EMPTY_FRAMES, EMPTY_FRAMES_PER_SECOND, clock.now());
    }

    void onReset() throws Http2Fault {
        if (!resets.take(clock.now()) && limited) {
            throw Http2Fault.ofConnection(
                    Http2Error.ENHANCE_YOUR_CALM, "the peer sent or caused too many stream resets");
        }
    }

    void onIgnored() throws Http2Fault {
        if (!empty.take(clock.now())) {
            throw Http2Fault.ofConnection(
                    Http2Error.ENHANCE_YOUR_CALM, "the peer sent too many frames without message data");
        }
    }

    void onStream() {
        empty.give(PER_STREAM);
    }

    void onDataSent() {
        empty.give(PER_DATA_FRAME);
    }
}
