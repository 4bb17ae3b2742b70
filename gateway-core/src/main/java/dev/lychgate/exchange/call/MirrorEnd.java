package dev.lychgate.exchange.call;

import org.jspecify.annotations.Nullable;

/** Describes the end of a mirror copy to observers. Used on the event loop of the copy. */
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

    /** Returns the name of the upstream to which the copy is sent. */
    public String upstream() {
        return upstream;
    }

    public MirrorOutcome outcome() {
        return outcome;
    }

    /**
     * Returns the time between sending the copy and the end of the response to the copy, in nanoseconds; 0 if the copy
     * was dropped.
     */
    public long nanos() {
        return nanos;
    }

    /** Returns whether the route compares responses and the copy has a response. */
    public boolean isCompared() {
        return compared;
    }

    /**
     * Returns the responses to compare. The caller owns the pair and must close it.
     *
     * @return null if another observer has already taken the pair, if the response of the route's origin is incomplete,
     *     or if no memory was left for the pair
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
