package dev.lychgate.route;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.http.RequestHead;
import java.util.ArrayList;
import java.util.List;

/**
 * Groups of predicates that do not belong to a route, such as the predicates of a fault. A request belongs to the
 * groups if it matches all predicates of at least one group. Immutable and thread-safe; does not change the request.
 */
public final class RequestGroups {
    /** Groups to which no request belongs. */
    public static final RequestGroups NONE = new RequestGroups(new RoutePredicate.Groups(true, List.of()));

    private final RoutePredicate.Groups groups;

    private RequestGroups(RoutePredicate.Groups groups) {
        this.groups = groups;
    }

    /**
     * Compiles several groups of predicates.
     *
     * @param key the key of the list in messages, such as {@code rollout.include}
     * @param configs predicates that contain neither groups nor weights
     * @throws ConfigException if there are errors. The exception describes the first error and names its key, such as
     *     {@code rollout.include[0].path}. All further errors are its suppressed exceptions
     */
    public static RequestGroups compile(String key, List<MatchConfig> configs) {
        List<ConfigException> faults = new ArrayList<>();
        RoutePredicate.Groups groups = compile(key, configs, faults);
        refuse(faults);
        return new RequestGroups(groups);
    }

    /**
     * Compiles one group of predicates. A group without predicates matches all requests.
     *
     * @param key the key of the group's section in messages, such as {@code faults.rules[0].match}
     * @param budget limits the size of the regular expressions
     * @throws ConfigException if there are errors, as in {@link #compile(String, List)}
     */
    public static RequestGroups compile(String key, MatchConfig config, RegexBudget budget) {
        List<ConfigException> faults = new ArrayList<>();
        List<RoutePredicate> group = new PredicateCompiler("", budget, faults).group(key, config);
        refuse(faults);
        return new RequestGroups(new RoutePredicate.Groups(true, List.of(group)));
    }

    private static void refuse(List<ConfigException> faults) {
        if (!faults.isEmpty()) {
            ConfigException first = faults.get(0);
            faults.subList(1, faults.size()).forEach(first::addSuppressed);
            throw first;
        }
    }

    /** Returns every error for which {@link #compile} would fail, in the order of the file. */
    public static List<ConfigException> faults(String key, List<MatchConfig> configs) {
        List<ConfigException> faults = new ArrayList<>();
        compile(key, configs, faults);
        return List.copyOf(faults);
    }

    private static RoutePredicate.Groups compile(String key, List<MatchConfig> configs, List<ConfigException> faults) {
        return new PredicateCompiler("", new RegexBudget(key), faults).groups(key, configs, true);
    }

    /**
     * Returns whether a request belongs to one of the groups.
     *
     * @param ingress facts about the connection of the request
     */
    public boolean contain(RequestHead head, Ingress ingress) {
        return groups.test(head, ingress);
    }

    /** Returns the groups for messages, with masked credentials: {@code any: (clients: 10.0.0.0/8)}. */
    @Override
    public String toString() {
        return groups.groups().isEmpty() ? "none" : groups.describe();
    }
}
