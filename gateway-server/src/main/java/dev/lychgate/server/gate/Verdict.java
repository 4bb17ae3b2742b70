package dev.lychgate.server.gate;

import dev.lychgate.server.yaml.Fault;
import java.util.List;

/**
 * The result of the gate for a candidate.
 *
 * @param faults one for each failed test, with file, line, test and condition; empty if all passed
 * @param refused whether they refuse the candidate
 */
public record Verdict(List<Fault> faults, boolean refused) {
    /** The candidate passed, or nothing was to be checked. */
    public static final Verdict PASSED = new Verdict(List.of(), false);

    public Verdict {
        faults = List.copyOf(faults);
    }

    /** Returns the faults of a candidate that takes effect nevertheless, one line each. */
    public List<String> warnings() {
        return refused ? List.of() : faults.stream().map(Fault::toString).toList();
    }
}
