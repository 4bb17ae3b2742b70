package dev.lychgate.server.rollout;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The verdict on a candidate in the current step, with the reasons for the verdict.
 *
 * @param verdict abort if one finding requires it; promote if all findings permit the next step; otherwise hold
 * @param findings the findings about all exchanges, one for each figure, and the findings about single routes that
 *     require an abort
 */
public record Judgement(Verdict verdict, List<Finding> findings) {
    /** The judgement before any exchanges were compared. */
    public static final Judgement NONE = new Judgement(Verdict.HOLD, List.of());

    public Judgement {
        findings = List.copyOf(findings);
    }

    static Judgement of(List<Finding> findings) {
        Verdict verdict = Verdict.PROMOTE;
        for (Finding finding : findings) {
            verdict = finding.verdict().compareTo(verdict) > 0 ? finding.verdict() : verdict;
        }
        return new Judgement(verdict, findings);
    }

    /** Returns the findings that cause the verdict: all findings whose own verdict equals this verdict. */
    public List<Finding> reasons() {
        return findings.stream().filter(finding -> finding.verdict() == verdict).toList();
    }

    /** Returns the reasons for a log line. */
    public String summary() {
        return reasons().stream().map(Finding::summary).collect(Collectors.joining("; "));
    }
}
