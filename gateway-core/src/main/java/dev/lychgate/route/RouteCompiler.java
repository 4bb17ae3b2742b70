package dev.lychgate.route;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RegexBudget;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiles one route from the texts of its predicates and its action. Continues after an error, so that an operator
 * sees all errors at once.
 */
record RouteCompiler(int position, RouteConfig config, RegexBudget budget, List<ConfigException> faults) {
    /**
     * Compiles the route.
     *
     * @return the route; null if there were errors
     */
    @Nullable
    Route compile() {
        int before = faults.size();
        PredicateCompiler predicates = new PredicateCompiler("routes[" + position + "].", budget, faults);
        MatchConfig match = config.match();
        Set<HostPattern> hosts = predicates.hosts("match", match);
        PathPattern path = predicates.path("match", match);
        List<RoutePredicate> further = predicates.furtherPredicates("match", match);
        predicates.addGroups(further, "match.not", match.not(), false);
        predicates.addGroups(further, "match.any", match.any(), true);

        // The rewrite is checked only if the path is valid.
        PathPattern known = path == null ? new PathPattern.Any() : path;
        String template = config.rewrite().path();
        PathRewrite rewrite = path == null
                ? null
                : predicates.read(
                        "rewrite.path", template == null ? "" : template, t -> PathRewrite.of(config.rewrite(), known));
        RedirectLocation location = config.action() instanceof RouteAction.Redirect redirect
                ? predicates.read("redirect.location", redirect.location(), RedirectLocation::parse)
                : null;
        if (faults.size() > before || path == null || rewrite == null) {
            return null;
        }
        return new Route(config, position, List.copyOf(hosts), path, further, rewrite, location);
    }
}
