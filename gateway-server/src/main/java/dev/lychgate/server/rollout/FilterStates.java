package dev.lychgate.server.rollout;

import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.generation.Generation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds filters of a candidate that the guard has ejected or that their budget limits. Thread-safe. */
final class FilterStates {
    private FilterStates() {}

    /**
     * Returns a finding for each ejected or limited filter, except for filters that are in the same state in the stable
     * generation.
     */
    static List<Finding> worse(Generation candidate, Generation stable) {
        Set<String> known = new HashSet<>();
        stable.filters().slots().forEach(slot -> known.add(state(slot)));
        List<Finding> findings = new ArrayList<>();
        for (FilterSlot slot : candidate.filters().slots()) {
            String state = state(slot);
            if (!state.isEmpty() && !known.contains(state)) {
                findings.add(new Finding(
                        Metric.FILTER_BUDGET, state, null, Verdict.ABORT, Share.NONE, Share.NONE, 0, 0, 0, 0));
            }
        }
        return findings;
    }

    /** Returns the name and the state of a filter in words; empty if the filter runs without restriction. */
    private static String state(FilterSlot slot) {
        BudgetMeter budget = slot.budget();
        if (slot.isEjected()) {
            return slot + " is ejected";
        }
        return budget != null && budget.isLimited() ? slot + " is limited" : "";
    }
}
