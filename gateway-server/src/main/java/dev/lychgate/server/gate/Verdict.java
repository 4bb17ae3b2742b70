package dev.lychgate.server.gate;

import dev.lychgate.server.yaml.Fault;
import java.util.List;

/**
 * The result of the gate for a candidate.
 *
 * @param faults an error message for each failed test or each kind of difference; empty if the candidate passed
 * @param refused whether the candidate is refused because of these errors
 */
public record Verdict(List<Fault> faults, boolean refused) {
    /** The verdict on a candidate that has passed its checks, or for which there is nothing to check. */
    public static final Verdict PASSED = new Verdict(List.of(), false);

    public Verdict {
        faults = List.copyOf(faults);
    }

    /** Returns the errors of a candidate that takes effect despite these errors, one line each. */
    public List<String> warnings() {
        return refused ? List.of() : faults.stream().map(Fault::toString).toList();
    }
}
