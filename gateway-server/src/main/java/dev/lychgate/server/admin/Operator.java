package dev.lychgate.server.admin;

import dev.lychgate.config.OperatorConfig;
import dev.lychgate.config.OperatorConfig.Role;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.server.admin.AdminRoute.Door;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an authenticated client of the admin listener may do. Immutable.
 *
 * @param name in the audit log; empty for clients without a name
 * @param limits the names that changes are limited to, by what they name
 * @param labels changes of routes with all of these labels are within the limits, too. No names and no labels = no limits
 */
record Operator(String name, Set<Role> roles, Map<Subject, List<String>> limits, Map<String, String> labels) {
    /** A client with all roles: there are no operators, or it has the token of the listener. */
    static final Operator ANY = new Operator("", EnumSet.allOf(Role.class), Map.of(), Map.of());

    /** What a change can be limited to. */
    enum Subject {
        ROUTES,
        FILTERS,
        UPSTREAMS
    }

    /** The parameters of changes that name what they change. */
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
        return new Operator(config.name(), EnumSet.copyOf(config.roles()), Map.copyOf(limits), config.labels());
    }

    private static void limit(Map<Subject, List<String>> limits, Subject subject, List<String> names) {
        if (!names.isEmpty()) {
            limits.put(subject, names);
        }
    }

    /** Returns why the operator may not use {@code route}; null if it may. @param source has the labels of routes */
    @Nullable
    String refusal(AdminRoute route, @Nullable String query, AdminSource source) {
        if (route.changes()) {
            return roles.contains(Role.OPERATOR) ? limit(route, query, source) : "this change requires the role operator";
        }
        return route.door() == Door.RECORDINGS && !roles.contains(Role.RECORDER)
                ? "this page has data of clients and requires the role recorder"
                : null;
    }

    /** Returns why the limits exclude a change; null if they do not. */
    private @Nullable String limit(AdminRoute route, @Nullable String query, AdminSource source) {
        if (limits.isEmpty() && labels.isEmpty()) {
            return null;
        }
        boolean concerned = false;
        for (Parameter<?> parameter : route.parameters()) {
            Subject subject = NAMED.get(parameter);
            if (subject != null && isLimited(subject)) {
                List<String> given = QueryParameters.of(query, parameter.name());
                if (given.isEmpty() || !given.stream().allMatch(name -> permits(subject, name, source))) {
                    return "the changes of this operator are limited to the " + describe(subject);
                }
                concerned = true;
            }
        }
        return concerned ? null : "the changes of this operator are limited to some routes, filters or upstreams";
    }

    private boolean isLimited(Subject subject) {
        return limits.containsKey(subject) || (subject == Subject.ROUTES && !labels.isEmpty());
    }

    private boolean permits(Subject subject, String name, AdminSource source) {
        return isIn(limits.getOrDefault(subject, List.of()), name)
                || (subject == Subject.ROUTES
                        && !labels.isEmpty()
                        && LabelledRoutes.of(source).have(name, labels));
    }

    private String describe(Subject subject) {
        List<String> parts = new ArrayList<>(limits.getOrDefault(subject, List.of()));
        if (subject == Subject.ROUTES && !labels.isEmpty()) {
            parts.add(labels.entrySet().stream()
                    .map(label -> label.getKey() + "=" + label.getValue())
                    .sorted()
                    .collect(Collectors.joining(" and ", "those with the label ", "")));
        }
        return subject.name().toLowerCase(Locale.ROOT) + " " + String.join(", ", parts);
    }

    private static boolean isIn(List<String> names, String name) {
        return names.stream()
                .anyMatch(known -> known.endsWith("*")
                        ? name.startsWith(known.substring(0, known.length() - 1))
                        : name.equals(known));
    }
}
