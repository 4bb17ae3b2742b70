package dev.lychgate.server.admin;

import dev.lychgate.config.OperatorConfig;
import dev.lychgate.config.OperatorConfig.Role;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.server.admin.AdminRoute.Door;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The permissions of an authenticated client of the admin listener. Immutable.
 *
 * @param name in the audit log; empty for clients without a name
 * @param limits the routes, filters and upstreams that changes are limited to, by kind; empty = no limits
 */
record Operator(String name, Set<Role> roles, Map<Subject, List<String>> limits) {
    /** A client with all roles: there are no operators, or it has the token of the listener. */
    static final Operator ANY = new Operator("", EnumSet.allOf(Role.class), Map.of());

    /** The kinds of objects that changes can be limited to. */
    enum Subject {
        ROUTES,
        FILTERS,
        UPSTREAMS
    }

    /** The parameters of changes that name the changed object. */
    private static final Map<Parameter<?>, Subject> NAMED = new HashMap<>();

    static {
        NAMED.put(FiltersPage.NAME, Subject.FILTERS);
        NAMED.put(FiltersPage.ROUTE, Subject.ROUTES);
        NAMED.put(FaultsPage.ROUTE, Subject.ROUTES);
        NAMED.put(UpstreamsPage.ITS_UPSTREAM, Subject.UPSTREAMS);
        NAMED.put(BreakersPage.UPSTREAM, Subject.UPSTREAMS);
    }

    static Operator of(OperatorConfig config) {
        Map<Subject, List<String>> limits = new HashMap<>();
        limit(limits, Subject.ROUTES, config.routes());
        limit(limits, Subject.FILTERS, config.filters());
        limit(limits, Subject.UPSTREAMS, config.upstreams());
        return new Operator(config.name(), EnumSet.copyOf(config.roles()), Map.copyOf(limits));
    }

    private static void limit(Map<Subject, List<String>> limits, Subject subject, List<String> names) {
        if (!names.isEmpty()) {
            limits.put(subject, names);
        }
    }

    /** Returns why the operator may not use {@code route}; null if it may. */
    @Nullable
    String refusal(AdminRoute route, @Nullable String query) {
        if (route.changes()) {
            return roles.contains(Role.OPERATOR) ? limit(route, query) : "this change requires the role operator";
        }
        return route.door() == Door.RECORDINGS && !roles.contains(Role.RECORDER)
                ? "this page has data of clients and requires the role recorder"
                : null;
    }

    /** Returns why the limits exclude a change; null if they do not. */
    private @Nullable String limit(AdminRoute route, @Nullable String query) {
        if (limits.isEmpty()) {
            return null;
        }
        boolean concerned = false;
        for (Parameter<?> parameter : route.parameters()) {
            Subject subject = NAMED.get(parameter);
            List<String> names = subject == null ? null : limits.get(subject);
            if (subject != null && names != null) {
                List<String> given = QueryParameters.of(query, parameter.name());
                if (given.isEmpty() || !given.stream().allMatch(name -> isIn(names, name))) {
                    return "the changes of this operator are limited to the "
                            + subject.name().toLowerCase(Locale.ROOT) + " " + String.join(", ", names);
                }
                concerned = true;
            }
        }
        return concerned ? null : "the changes of this operator are limited to some routes, filters or upstreams";
    }

    private static boolean isIn(List<String> names, String name) {
        return names.stream()
                .anyMatch(known -> known.endsWith("*")
                        ? name.startsWith(known.substring(0, known.length() - 1))
                        : name.equals(known));
    }
}
