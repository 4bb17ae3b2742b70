package dev.lychgate.http2;

import dev.lychgate.loop.DeadlineWheel;

/**
 * What a peer may make us do for nothing. Each reset costs one, whoever has written it and with whatever code: a stream that
 * the peer makes <em>us</em> reset has cost the same. Frames that carry nothing of a message (PING, SETTINGS, PRIORITY,
 * WINDOW_UPDATE, empty DATA, unknown ones) cost one each from a second allowance, to which each stream and each frame of
 * data that we send adds a few.
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
            throw Http2Fault.ofConnection(Http2Error.ENHANCE_YOUR_CALM, "too many streams were reset");
        }
    }

    void onIgnored() throws Http2Fault {
        if (!empty.take(clock.now())) {
            throw Http2Fault.ofConnection(Http2Error.ENHANCE_YOUR_CALM, "too many frames that carry nothing");
        }
    }

    void onStream() {
        empty.give(PER_STREAM);
    }

    void onDataSent() {
        empty.give(PER_DATA_FRAME);
    }
}
