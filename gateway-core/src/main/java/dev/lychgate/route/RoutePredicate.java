package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.net.InetAddress;

/** One thing that must hold for a route to match. Immutable, asked from any thread; must not change the request. */
sealed interface RoutePredicate
        permits HostPredicate, PathPattern, MethodPredicate, ClientPredicate, HeaderPredicate, QueryPredicate {
    boolean test(RequestHead head, InetAddress client);

    /** Whether this surely holds where {@code held} holds. */
    default boolean coveredBy(RoutePredicate held) {
        return false;
    }

    /** What must hold, in the words of the configuration: {@code methods: GET, POST}. Equal predicates say the same. */
    String describe();
}
