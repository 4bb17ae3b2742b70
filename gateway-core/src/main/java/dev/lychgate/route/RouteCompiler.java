package dev.lychgate.route;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the text forms of one route; goes on after a fault, so that an operator sees them all at once. */
final class RouteCompiler {
    private final int position;
    private final RouteConfig config;
    private final RegexBudget budget;
    private final List<ConfigException> faults;

    RouteCompiler(int position, RouteConfig config, RegexBudget budget, List<ConfigException> faults) {
        this.position = position;
        this.config = config;
        this.budget = budget;
        this.faults = faults;
    }

    /** @return null if there were faults */
    @Nullable
    Route compile() {
        int before = faults.size();
        MatchConfig match = config.match();
        Set<HostPattern> hosts = new LinkedHashSet<>();
        for (String host : match.hosts()) {
            add(hosts, read("match.host", host, HostPattern::parse));
        }
        String pathText = match.path() == null ? "" : match.path();
        PathPattern path = read("match.path", pathText, text -> PathPattern.parse(match.path()));
        List<RoutePredicate> further = furtherPredicates(match);

        // A rewrite can only be checked against a path that could be read.
        PathPattern known = path == null ? new PathPattern.Any() : path;
        String template = config.rewrite().path();
        PathRewrite rewrite = path == null
                ? null
                : read("rewrite.path", template == null ? "" : template, t -> PathRewrite.of(config.rewrite(), known));
        RedirectLocation location = config.action() instanceof RouteAction.Redirect redirect
                ? read("redirect.location", redirect.location(), RedirectLocation::parse)
                : null;
        if (faults.size() > before || path == null || rewrite == null) {
            return null;
        }
        return new Route(config, position, List.copyOf(hosts), path, further, rewrite, location);
    }

    /** The cheap ones first, since one that fails spares the others. */
    private List<RoutePredicate> furtherPredicates(MatchConfig match) {
        List<RoutePredicate> further = new ArrayList<>();
        if (!match.methods().isEmpty()) {
            further.add(new MethodPredicate(match.methods()));
        }
        if (!match.clients().isEmpty()) {
            further.add(new ClientPredicate(match.clients()));
        }
        for (Map.Entry<String, String> header : match.headers().entrySet()) {
            String name = header.getKey();
            add(further, read("match.headers." + name, header.getValue(), v -> new HeaderPredicate(name, v)));
        }
        for (Map.Entry<String, String> parameter : match.query().entrySet()) {
            String name = parameter.getKey();
            add(further, read("match.query." + name, parameter.getValue(), v -> new QueryPredicate(name, v)));
        }
        return further;
    }

    private <T> @Nullable T read(String key, String text, Function<String, T> reader) {
        try {
            if (text.startsWith(ValuePattern.REGEX)) {
                budget.charge(text.substring(ValuePattern.REGEX.length()));
            }
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            faults.add(new ConfigException("routes[" + position + "]." + key, text, String.valueOf(e.getMessage())));
            return null;
        }
    }

    private static <T> void add(Collection<? super T> to, @Nullable T read) {
        if (read != null) {
            to.add(read);
        }
    }
}
