package dev.lychgate.generation;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GateConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.route.Route;
import dev.lychgate.route.RouteTable;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the self-checks of the filters of a generation, and then builds its filter chains. */
final class CheckedChains {
    private static final Logger LOG = LoggerFactory.getLogger(CheckedChains.class);

    private CheckedChains() {}

    /**
     * Runs the self-checks and builds the filter chains.
     *
     * @param previous the chains of an earlier generation, whose counters carry over; null if there are none
     * @throws ConfigException if the filters are invalid
     * @throws SelfCheckException if a self-check fails and {@code gate.self-checks} requires it
     */
    static FilterChains build(
            FilterSet filters, GatewayConfig config, RouteTable routes, int loops, @Nullable FilterChains previous) {
        Set<String> ids = routes.routes().stream().map(Route::id).collect(Collectors.toSet());
        try {
            check(filters, config.lifecycle().gate().selfChecks());
            return FilterChains.build(
                    filters, ids, loops, previous, config.filters().budget());
        } catch (IllegalArgumentException e) {
            throw new ConfigException("filters", String.valueOf(e.getMessage()), "filters without this error", e);
        }
    }

    private static void check(FilterSet filters, GateConfig.Check selfChecks) {
        if (selfChecks == GateConfig.Check.OFF) {
            return;
        }
        // A filter that is in several lists is checked one time.
        Set<Filter> once = Collections.newSetFromMap(new IdentityHashMap<>());
        filters.entries().forEach(entry -> once.add(entry.filter()));
        once.addAll(filters.fallbacks().values());
        filters.access().allAuthorizers().forEach(once::add);
        try {
            SelfChecks.run(List.copyOf(once), SelfChecks.LIMIT);
        } catch (SelfCheckException e) {
            if (selfChecks == GateConfig.Check.REQUIRE) {
                throw e;
            }
            LOG.warn(
                    "{}; the generation takes effect nevertheless, because gate.self-checks is warn",
                    e.getMessage(),
                    e.getCause());
        }
    }
}
