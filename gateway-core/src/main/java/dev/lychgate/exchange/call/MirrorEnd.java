package dev.lychgate.exchange.call;

import org.jspecify.annotations.Nullable;

/** The end of a copy, for observers. On the event loop of the copy. */
public final class MirrorEnd {
    private final String route;
    private final String upstream;
    private final MirrorOutcome outcome;
    private final long nanos;
    private final boolean compared;
    private @Nullable MirrorPair pair;

    MirrorEnd(
            String route,
            String upstream,
            MirrorOutcome outcome,
            long nanos,
            boolean compared,
            @Nullable MirrorPair pair) {
        this.route = route;
        this.upstream = upstream;
        this.outcome = outcome;
        this.nanos = nanos;
        this.compared = compared;
        this.pair = pair;
    }

    /** Returns the id of the route. */
    public String route() {
        return route;
    }

    /** Returns the name of the upstream of the copy. */
    public String upstream() {
        return upstream;
    }

    public MirrorOutcome outcome() {
        return outcome;
    }

    /** Returns the time from the start of the copy to the end of its response, in nanoseconds; 0 if it was not sent. */
    public long nanos() {
        return nanos;
    }

    /** Returns whether the route compares responses and the copy has one. */
    public boolean isCompared() {
        return compared;
    }

    /**
     * Returns the responses to compare; the caller then owns and closes them. Null if another observer has taken them, or if
     * the comparison is skipped: the primary has no response, or memory is scarce.
     */
    public @Nullable MirrorPair take() {
        MirrorPair taken = pair;
        pair = null;
        return taken;
    }

    /** Closes the responses unless an observer has taken them. */
    void settle() {
        MirrorPair left = take();
        if (left != null) {
            left.close();
        }
    }
}
