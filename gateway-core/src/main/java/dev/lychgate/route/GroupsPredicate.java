package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.List;
import java.util.stream.Collectors;

/**
 * At least one of several groups of predicates holds, or none does. A group holds if all of its predicates hold.
 *
 * @param expected true if at least one group must hold, false if no group may hold
 */
record GroupsPredicate(boolean expected, List<List<RoutePredicate>> groups) implements RoutePredicate {
    @Override
    public boolean test(RequestHead head, Ingress ingress) {
        return anyHolds(head, ingress) == expected;
    }

    private boolean anyHolds(RequestHead head, Ingress ingress) {
        for (List<RoutePredicate> group : groups) {
            if (holds(group, head, ingress)) {
                return true;
            }
        }
        return false;
    }

    private static boolean holds(List<RoutePredicate> group, RequestHead head, Ingress ingress) {
        for (RoutePredicate predicate : group) {
            if (!predicate.test(head, ingress)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean coveredBy(RoutePredicate held) {
        return held instanceof GroupsPredicate && describe().equals(held.describe());
    }

    @Override
    public boolean readsClient() {
        return groups.stream().flatMap(List::stream).anyMatch(RoutePredicate::readsClient);
    }

    @Override
    public String describe() {
        return (expected ? "any: " : "not: ")
                + groups.stream().map(GroupsPredicate::words).sorted().collect(Collectors.joining(" or "));
    }

    private static String words(List<RoutePredicate> group) {
        return group.stream().map(RoutePredicate::describe).sorted().collect(Collectors.joining("; ", "(", ")"));
    }
}
