package dev.lychgate.health;

import dev.lychgate.upstream.EndpointOutcomes;
import dev.lychgate.upstream.EndpointOutcomes.Totals;

/** One endpoint under judgement: what it has done, and how often and until when it has been ejected. For one thread. */
final class Judged {
    final EndpointOutcomes outcomes;
    private Totals before = Totals.NONE;
    private Totals interval = Totals.NONE;
    private int ejections;
    private long ejectedUntil = Long.MIN_VALUE;

    Judged(EndpointOutcomes outcomes) {
        this.outcomes = outcomes;
    }

    /** An interval is over: {@link #interval()} is about that one now. */
    void turn() {
        Totals now = outcomes.totals();
        interval = now.minus(before);
        before = now;
    }

    /** What it did in the interval that ended last. */
    Totals interval() {
        return interval;
    }

    boolean isEjected(long now) {
        return now < ejectedUntil;
    }

    /** Ejects it. @return until when, in nanoseconds: each time for longer, up to a limit */
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

    /** If it was in use ever since, the next ejection is a little shorter again. */
    void forgive(long since) {
        if (ejectedUntil <= since && ejections > 0) {
            ejections--;
        }
    }
}
