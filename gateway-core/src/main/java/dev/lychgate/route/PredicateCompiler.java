package dev.lychgate.route;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.config.SecretNames;
import dev.lychgate.route.RoutePredicate.Source;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text forms of predicates. Continues after an error, so that an operator sees all errors at once.
 *
 * @param prefix the prefix of the keys in messages, such as {@code routes[2].}; may be empty
 * @param faults receives the errors
 */
record PredicateCompiler(String prefix, RegexBudget budget, List<ConfigException> faults) {
    Set<HostPattern> hosts(String section, MatchConfig match) {
        Set<HostPattern> hosts = new LinkedHashSet<>();
        for (String host : match.hosts()) {
            add(hosts, read(section + ".host", host, HostPattern::parse));
        }
        return hosts;
    }

    @Nullable
    PathPattern path(String section, MatchConfig match) {
        String text = match.path() == null ? "" : match.path();
        return read(section + ".path", text, path -> PathPattern.parse(match.path()));
    }

    /**
     * Returns the predicates other than host and path. Cheap predicates come first, because the first predicate that
     * does not match ends the test of a request.
     */
    List<RoutePredicate> furtherPredicates(String section, MatchConfig match) {
        List<RoutePredicate> further = new ArrayList<>();
        if (!match.methods().isEmpty()) {
            further.add(RoutePredicate.Methods.of(match.methods()));
        }
        if (!match.listeners().isEmpty()) {
            further.add(new RoutePredicate.Listeners(Set.copyOf(match.listeners())));
        }
        if (match.scheme() != null) {
            further.add(new RoutePredicate.Scheme(match.scheme()));
        }
        if (!match.clients().isEmpty()) {
            further.add(new RoutePredicate.Clients(match.clients()));
        }
        addValues(further, section + ".headers.", match.headers(), Source.HEADERS);
        addValues(further, section + ".cookies.", match.cookies(), Source.COOKIES);
        addValues(further, section + ".query.", match.query(), Source.QUERY);
        match.claims().forEach((path, value) -> {
            String key = section + ".claims." + path;
            add(further, read(key, value, text -> RoutePredicate.Claim.of(path, text)));
        });
        return further;
    }

    private void addValues(List<RoutePredicate> to, String key, Map<String, String> values, Source source) {
        values.forEach((name, value) -> {
            String shown = source.isSecret(name) ? SecretNames.MASK : value;
            add(to, read(key + name, value, shown, text -> RoutePredicate.Value.of(source, name, text)));
        });
    }

    void addGroups(List<RoutePredicate> to, String key, List<MatchConfig> configs, boolean expected) {
        if (!configs.isEmpty()) {
            to.add(groups(key, configs, expected));
        }
    }

    /**
     * @param expected true if the predicate requires that at least one group matches; false if it requires that none of
     *     the groups matches
     */
    RoutePredicate.Groups groups(String key, List<MatchConfig> configs, boolean expected) {
        List<List<RoutePredicate>> groups = new ArrayList<>();
        for (int i = 0; i < configs.size(); i++) {
            String section = key + "[" + i + "]";
            MatchConfig config = configs.get(i);
            if (config.equals(MatchConfig.ANY)) {
                fault(section, "no predicate", "at least one predicate");
            }
            groups.add(group(section, config));
        }
        return new RoutePredicate.Groups(expected, List.copyOf(groups));
    }

    /** Returns the predicates of one section, all of which must match. */
    List<RoutePredicate> group(String section, MatchConfig config) {
        List<RoutePredicate> group = new ArrayList<>();
        Set<HostPattern> hosts = hosts(section, config);
        if (!hosts.isEmpty()) {
            group.add(new RoutePredicate.Hosts(List.copyOf(hosts)));
        }
        if (config.path() != null) {
            add(group, path(section, config));
        }
        group.addAll(furtherPredicates(section, config));
        return List.copyOf(group);
    }

    <T> @Nullable T read(String key, String text, Function<String, T> reader) {
        return read(key, text, text, reader);
    }

    /** @param shown the text that messages contain in place of {@code text} */
    private <T> @Nullable T read(String key, String text, String shown, Function<String, T> reader) {
        try {
            if (text.startsWith(ValuePattern.REGEX)) {
                budget.charge(text.substring(ValuePattern.REGEX.length()));
            }
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            fault(key, shown, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void fault(String key, String value, String expected) {
        faults.add(new ConfigException(prefix + key, value, expected));
    }

    private static <T> void add(Collection<? super T> to, @Nullable T read) {
        if (read != null) {
            to.add(read);
        }
    }
}
