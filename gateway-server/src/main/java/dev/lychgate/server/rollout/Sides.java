package dev.lychgate.server.rollout;

/** The counts of both generations, of all routes or of one. */
record Sides(Counts stable, Counts candidate) {
    Sides() {
        this(new Counts(), new Counts());
    }

    void add(Tally tally) {
        (tally.isCandidate() ? candidate : stable).add(tally);
    }

    Sides since(Sides earlier) {
        return new Sides(stable.since(earlier.stable), candidate.since(earlier.candidate));
    }
}
