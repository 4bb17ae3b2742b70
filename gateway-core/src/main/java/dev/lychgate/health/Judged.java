package dev.lychgate.health;

import dev.lychgate.upstream.EndpointOutcomes;
import dev.lychgate.upstream.EndpointOutcomes.Totals;

/**
 * The state of outlier detection for one endpoint: the outcomes of its attempts, the number of its ejections, and the
 * end of the last ejection. Used by one thread only.
 */
final class Judged {
    final EndpointOutcomes outcomes;
    private Totals before = Totals.NONE;
    private Totals interval = Totals.NONE;
    private int ejections;
    private long ejectedUntil = Long.MIN_VALUE;

    Judged(EndpointOutcomes outcomes) {
        this.outcomes = outcomes;
    }

    /**
     * Ends the current interval and begins the next one. Afterwards, {@link #interval()} returns the outcomes of the
     * ended interval.
     */
    void turn() {
        Totals now = outcomes.totals();
        interval = now.minus(before);
        before = now;
    }

    /** Returns the outcomes of the last complete interval. */
    Totals interval() {
        return interval;
    }

    boolean isEjected(long now) {
        return now < ejectedUntil;
    }

    /**
     * Ejects the endpoint. Each ejection is longer than the previous ejection, up to a limit.
     *
     * @return the end of the ejection, in nanoseconds
     */
    long eject(long now, long first, long most) {
        ejections++;
        ejectedUntil = now + Math.min(most, multiplied(first, ejections));
        outcomes.forgetRow();
        return ejectedUntil;
    }

    private static long multiplied(long first, int times) {
        long product = first * times;
        return product / times == first ? product : Long.MAX_VALUE / 4;
    }

    /** Shortens the next ejection by one step if the endpoint has not been ejected since {@code since}. */
    void forgive(long since) {
        if (ejectedUntil <= since && ejections > 0) {
            ejections--;
        }
    }
}
