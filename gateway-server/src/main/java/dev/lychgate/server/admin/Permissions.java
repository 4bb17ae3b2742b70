package dev.lychgate.server.admin;

import dev.lychgate.config.OperatorConfig.Role;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.server.admin.AdminRoute.Door;
import dev.lychgate.server.admin.Operator.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decides which requests the roles and limits of an operator permit. */
final class Permissions {
    /** The parameters of changes that name the changed object. */
    private static final Map<Parameter<?>, Subject> NAMED = new HashMap<>();

    static {
        NAMED.put(FiltersPage.NAME, Subject.FILTERS);
        NAMED.put(FiltersPage.ROUTE, Subject.ROUTES);
        NAMED.put(FaultsPage.ROUTE, Subject.ROUTES);
        NAMED.put(UpstreamsPage.ITS_UPSTREAM, Subject.UPSTREAMS);
        NAMED.put(BreakersPage.UPSTREAM, Subject.UPSTREAMS);
    }

    private Permissions() {}

    /** Returns why the operator may not use {@code route}; null if it may. */
    @Nullable
    static String refusal(Operator operator, AdminRoute route, @Nullable String query) {
        if (route.changes()) {
            return operator.roles().contains(Role.OPERATOR)
                    ? limit(operator.limits(), route, query)
                    : "this change requires the role operator";
        }
        return route.door() == Door.RECORDINGS && !operator.roles().contains(Role.RECORDER)
                ? "this page has data of clients and requires the role recorder"
                : null;
    }

    /** Returns why the limits exclude a change; null if they do not. */
    private static @Nullable String limit(Map<Subject, List<String>> limits, AdminRoute route, @Nullable String query) {
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
