package dev.lychgate.server.admin;

import dev.lychgate.config.OperatorConfig;
import dev.lychgate.config.OperatorConfig.Role;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An authenticated client of the admin listener. {@link Permissions} decides which requests the client may send.
 * Immutable.
 *
 * <p>If {@code limits} and {@code labels} are both empty, changes are not limited.
 *
 * @param name the name in the audit log; empty for clients without a name
 * @param limits by kind, the names of the routes, filters and upstreams that the operator may change
 * @param labels the labels of further routes that the operator may change; a route must have all of these labels
 */
record Operator(String name, Set<Role> roles, Map<Subject, List<String>> limits, Map<String, String> labels) {
    /** A client with all roles, because no operators are configured or the client has the token of the listener. */
    static final Operator ANY = new Operator("", EnumSet.allOf(Role.class), Map.of(), Map.of());

    /** The kinds of objects that changes can be limited to. */
    enum Subject {
        ROUTES,
        FILTERS,
        UPSTREAMS
    }

    static Operator of(OperatorConfig config) {
        Map<Subject, List<String>> limits = new HashMap<>();
        limit(limits, Subject.ROUTES, config.routes());
        limit(limits, Subject.FILTERS, config.filters());
        limit(limits, Subject.UPSTREAMS, config.upstreams());
        return new Operator(config.name(), EnumSet.copyOf(config.roles()), Map.copyOf(limits), config.labels());
    }

    private static void limit(Map<Subject, List<String>> limits, Subject subject, List<String> names) {
        if (!names.isEmpty()) {
            limits.put(subject, names);
        }
    }

    /** Returns whether this operator's changes are limited to some routes, filters or upstreams. */
    boolean isLimited() {
        return !limits.isEmpty() || !labels.isEmpty();
    }

    /** Returns whether this operator may change only some objects of the given kind. */
    boolean isLimited(Subject subject) {
        return limits.containsKey(subject) || (subject == Subject.ROUTES && !labels.isEmpty());
    }

    /**
     * Returns the names of the objects of this kind that this operator may change; a name that ends with {@code *} is a
     * prefix.
     */
    List<String> names(Subject subject) {
        return limits.getOrDefault(subject, List.of());
    }
}
