package dev.lychgate.server.admin;

import dev.lychgate.config.OperatorConfig.Role;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.server.admin.AdminRoute.Door;
import dev.lychgate.server.admin.Operator.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides which requests the roles and limits of an operator permit. */
final class Permissions {
    /** The parameters that name the object of a change, with the kind of the object. */
    private static final Map<Parameter<?>, Subject> NAMED = new HashMap<>();

    static {
        NAMED.put(FiltersPage.NAME, Subject.FILTERS);
        NAMED.put(FiltersPage.ROUTE, Subject.ROUTES);
        NAMED.put(FaultsPage.ROUTE, Subject.ROUTES);
        NAMED.put(UpstreamsPage.ITS_UPSTREAM, Subject.UPSTREAMS);
        NAMED.put(BreakersPage.UPSTREAM, Subject.UPSTREAMS);
    }

    private Permissions() {}

    /**
     * Returns the reason why an operator must not use {@code route}; null if the operator is permitted to use it.
     *
     * @param source supplies the labels of routes
     */
    @Nullable
    static String refusal(Operator operator, AdminRoute route, @Nullable String query, AdminSource source) {
        if (route.changes()) {
            return operator.roles().contains(Role.OPERATOR)
                    ? limit(operator, route, query, source)
                    : "this change requires the role operator";
        }
        return route.door() == Door.RECORDINGS && !operator.roles().contains(Role.RECORDER)
                ? "this page contains data of clients, so it requires the role recorder"
                : null;
    }

    /** Returns the reason why an operator's limits exclude a change; null if they permit the change. */
    private static @Nullable String limit(
            Operator operator, AdminRoute route, @Nullable String query, AdminSource source) {
        if (!operator.isLimited()) {
            return null;
        }
        boolean concerned = false;
        for (Parameter<?> parameter : route.parameters()) {
            Subject subject = NAMED.get(parameter);
            if (subject != null && operator.isLimited(subject)) {
                List<String> given = QueryParameters.of(query, parameter.name());
                if (given.isEmpty() || !given.stream().allMatch(name -> permits(operator, subject, name, source))) {
                    return "the changes of this operator are limited to the " + describe(operator, subject);
                }
                concerned = true;
            }
        }
        return concerned ? null : "the changes of this operator are limited to some routes, filters or upstreams";
    }

    private static boolean permits(Operator operator, Subject subject, String name, AdminSource source) {
        return operator.names(subject).stream().anyMatch(known -> isNamed(known, name))
                || (subject == Subject.ROUTES
                        && !operator.labels().isEmpty()
                        && LabelledRoutes.of(source).have(name, operator.labels()));
    }

    private static boolean isNamed(String known, String name) {
        return known.endsWith("*") ? name.startsWith(known.substring(0, known.length() - 1)) : name.equals(known);
    }

    private static String describe(Operator operator, Subject subject) {
        List<String> parts = new ArrayList<>(operator.names(subject));
        if (subject == Subject.ROUTES && !operator.labels().isEmpty()) {
            parts.add(operator.labels().entrySet().stream()
                    .map(label -> label.getKey() + "=" + label.getValue())
                    .sorted()
                    .collect(Collectors.joining(" and ", labelled(operator, parts.isEmpty()), "")));
        }
        return subject.name().toLowerCase(Locale.ROOT) + " " + String.join(", ", parts);
    }

    /**
     * Returns the words that precede the labels in a description of routes, such as {@code and routes with the label}.
     */
    private static String labelled(Operator operator, boolean alone) {
        String labels = operator.labels().size() == 1 ? "with the label " : "with the labels ";
        return alone ? labels : "and routes " + labels;
    }
}
