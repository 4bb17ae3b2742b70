package dev.lychgate.route;

import dev.lychgate.http.RequestHead;

/** One condition of a route. Immutable and thread-safe; does not change the request. */
sealed interface RoutePredicate
        permits HostPredicate,
                PathPattern,
                MethodPredicate,
                ClientPredicate,
                SchemePredicate,
                ListenerPredicate,
                ValuePredicate,
                GroupsPredicate {
    boolean test(RequestHead head, Ingress ingress);

    /** Whether this predicate certainly holds where {@code held} holds. */
    default boolean coveredBy(RoutePredicate held) {
        return false;
    }

    /** Whether the result depends on the client's address. */
    default boolean readsClient() {
        return false;
    }

    /** Returns the condition in the words of the configuration: {@code methods: GET, POST}. Equal predicates return equal texts. */
    String describe();
}
