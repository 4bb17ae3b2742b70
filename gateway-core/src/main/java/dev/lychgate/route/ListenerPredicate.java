package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.util.Set;
import java.util.TreeSet;

/** One of these listeners accepted the request. */
record ListenerPredicate(Set<String> names) implements RoutePredicate {
    @Override
    public boolean test(RequestHead head, Ingress ingress) {
        return names.contains(ingress.listener());
    }

    @Override
    public boolean coveredBy(RoutePredicate held) {
        return held instanceof ListenerPredicate other && names.containsAll(other.names);
    }

    @Override
    public String describe() {
        return "listeners: " + String.join(", ", new TreeSet<>(names));
    }
}
