package dev.lychgate.server.shadow;

import dev.lychgate.server.shadow.Decisions.Step;
import dev.lychgate.server.shadow.ShadowTally.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the decisions of two generations on one request, in this order: the filters before routing, the route, the
 * filters after routing, and the result.
 *
 * <ul>
 *   <li>Runs of the same filter are compared regardless of the order in which filters run.
 *   <li>A filter that runs in only one generation counts as a difference only if it ends or changes the request.
 *   <li>After a filter has ended the request in one generation, later decisions are not compared, because they are
 *       consequences of that decision.
 *   <li>If one generation is undecided, later decisions are not compared, because they are unknown.
 * </ul>
 */
final class DecisionDifferences {
    private static final String UNCHANGED = "unchanged";
    private static final String NOT_RUN = "did not run";
    private static final String NONE = "none";
    private static final String PATH = ":path";
    /**
     * The maximum length of a header field's name. A longer name may come from a client, and is replaced by {@code *}.
     */
    private static final int LONGEST_NAME = 64;

    private final List<DecisionDifference> found = new ArrayList<>();
    private final Decisions stable;
    private final Decisions candidate;

    private DecisionDifferences(Decisions stable, Decisions candidate) {
        this.stable = stable;
        this.candidate = candidate;
    }

    static List<DecisionDifference> of(Decisions stable, Decisions candidate) {
        DecisionDifferences differences = new DecisionDifferences(stable, candidate);
        differences.compare();
        return differences.found;
    }

    private void compare() {
        if (!steps(true)) {
            return;
        }
        words(Kind.ROUTE, "", stable.route(), candidate.route());
        boolean comparable = Objects.equals(stable.route(), candidate.route())
                ? steps(false)
                : stable.undecided() == null && candidate.undecided() == null;
        if (comparable) {
            result();
        }
    }

    private void words(Kind kind, String what, @Nullable String before, @Nullable String after) {
        if (!Objects.equals(before, after)) {
            found.add(DecisionDifference.ofWords(
                    kind, what, Objects.requireNonNullElse(before, NONE), Objects.requireNonNullElse(after, NONE)));
        }
    }

    // ---- filters

    /**
     * Compares the filters before or after routing.
     *
     * @return whether later decisions are comparable
     */
    private boolean steps(boolean global) {
        List<Step> ofStable = stable.steps(global);
        List<Step> ofCandidate = new ArrayList<>(candidate.steps(global));
        boolean all = isPassed(stable, global) && isPassed(candidate, global);
        for (Step before : ofStable) {
            Step after = take(ofCandidate, before);
            if (after != null) {
                words(Kind.OUTCOME, before.filter(), before.outcome(), after.outcome());
                changes(before.filter(), before.changes(), after.changes());
            } else if (candidate.undecided() == null) {
                alone(before, all, before.outcome(), NOT_RUN, before.changes(), Map.of());
            }
        }
        if (stable.undecided() == null) {
            ofCandidate.forEach(after -> alone(after, all, NOT_RUN, after.outcome(), Map.of(), after.changes()));
        }
        return all;
    }

    /**
     * Returns whether the request has passed all filters before routing or, if {@code global} is false, all filters
     * after routing.
     */
    private static boolean isPassed(Decisions side, boolean global) {
        boolean after = global && !side.steps(false).isEmpty();
        return after || (side.undecided() == null && side.steps(global).stream().noneMatch(Step::ends));
    }

    private static @Nullable Step take(List<Step> from, Step like) {
        for (int i = 0; i < from.size(); i++) {
            if (from.get(i).filter().equals(like.filter())) {
                return from.remove(i);
            }
        }
        return null;
    }

    /**
     * @param all whether the request passed all filters in both generations. If so, one generation lacks the filter, or
     *     did not apply it
     */
    private void alone(
            Step step,
            boolean all,
            String before,
            String after,
            Map<String, String> changesBefore,
            Map<String, String> changesAfter) {
        if (step.ends()) {
            words(Kind.RUN, step.filter(), before, after);
        } else if (all) {
            changes(step.filter(), changesBefore, changesAfter);
        }
    }

    private void changes(String filter, Map<String, String> before, Map<String, String> after) {
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            String was = before.getOrDefault(name, UNCHANGED);
            String is = after.getOrDefault(name, UNCHANGED);
            if (!was.equals(is)) {
                String shown = name.length() > LONGEST_NAME ? "*" : name;
                found.add(new DecisionDifference(Kind.CHANGE, filter + ": " + shown, name, was, is));
            }
        }
    }

    // ---- the end

    private void result() {
        String before = stable.answer();
        String after = candidate.answer();
        if (before != null || after != null) {
            words(Kind.STATUS, "", before == null ? "forwarded" : before, after == null ? "forwarded" : after);
            return;
        }
        words(Kind.UPSTREAM, "", stable.upstream(), candidate.upstream());
        // A change of the path by a filter was already reported, so only the rewrite of the route is reported here.
        boolean byFilter =
                found.stream().anyMatch(difference -> difference.field().equals(PATH));
        if (!byFilter && !Objects.equals(stable.path(), candidate.path())) {
            found.add(new DecisionDifference(
                    Kind.PATH,
                    "rewrite of the route",
                    PATH,
                    String.valueOf(stable.path()),
                    String.valueOf(candidate.path())));
        }
    }
}
