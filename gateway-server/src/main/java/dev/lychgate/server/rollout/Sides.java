package dev.lychgate.server.rollout;

/** The counts of both generations, for all routes together or for one route. */
record Sides(Counts stable, Counts candidate) {
    Sides() {
        this(new Counts(), new Counts());
    }

    void add(Tally tally) {
        (tally.isCandidate() ? candidate : stable).add(tally);
    }

    /** Returns these counts without one part of the groups. */
    Sides without(int part) {
        return new Sides(stable.without(part), candidate.without(part));
    }

    /** Returns whether one part of the groups has more than half of the exchanges in each of the two generations. */
    boolean areMostlyOf(int part) {
        return isMostlyOf(part, stable) && isMostlyOf(part, candidate);
    }

    private static boolean isMostlyOf(int part, Counts counts) {
        return 2 * counts.without(part).exchanges() < counts.exchanges();
    }

    Sides since(Sides earlier) {
        return new Sides(stable.since(earlier.stable), candidate.since(earlier.candidate));
    }
}
