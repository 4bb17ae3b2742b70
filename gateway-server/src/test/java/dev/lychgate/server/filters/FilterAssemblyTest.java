package dev.lychgate.server.filters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.Lychgate;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.FilterConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteResilience;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.EndpointFilter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.filters.settings.NamedFilter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Assembly of the filters that a configuration names. */
class FilterAssemblyTest {
    private static final Mine MINE = new Mine();

    @Test
    void addsEachFilterToTheRoutesOfItsListInOrder() {
        FilterSet set = FilterAssembly.of(
                        config(List.of(FilterConfig.of("mine")), header("x-a"), FilterConfig.of("mine")),
                        Map.of("mine", NamedFilter.of(MINE)))
                .filters();

        assertThat(set.entries())
                .extracting(entry -> entry.filter().name(), FilterSet.Entry::routes, FilterSet.Entry::place)
                .containsExactly(
                        tuple("mine", Set.of(), 1),
                        tuple("set-request-header x-a", Set.of("a"), 1),
                        tuple("mine", Set.of("a"), 2));
        assertThat(set.entries().get(0).filter()).isSameAs(MINE);
    }

    @Test
    void numbersBuiltInFiltersOfOneNameInOneList() {
        FilterSet set = FilterAssembly.of(config(List.of(), header("x-a"), header("x-a"), header("x-a")), Map.of())
                .filters();

        assertThat(set.entries())
                .extracting(entry -> entry.filter().name())
                .containsExactly("set-request-header x-a", "set-request-header x-a (2)", "set-request-header x-a (3)");
    }

    @Test
    void reportsEveryFaultWithItsPlace() {
        GatewayConfig config = config(
                List.of(FilterConfig.of("mien"), new FilterConfig("mine", Map.of("order", 1))),
                FilterConfig.of("other"),
                new FilterConfig("set-path", Map.of("path", "relative")),
                FilterConfig.of("mine"),
                FilterConfig.of("mine"));

        assertThat(FilterAssembly.faults(config, Map.of("mine", NamedFilter.of(MINE))))
                .extracting(ConfigException::getMessage)
                .containsExactly(
                        "filters.global[0]: mien (expected: a filter; did you mean 'mine'?)",
                        "filters.global[1]: mine (expected: no settings, because this filter declares none)",
                        "routes[0].filters[0]: other (expected: a built-in filter; or one of mine)",
                        "routes[0].filters[1].set-path.path: relative (expected: a path that begins with /, in ASCII, without query)",
                        "routes[0].filters[3]: mine (expected: each filter at most once in a list)");
        assertThatThrownBy(() -> FilterAssembly.of(config, Map.of())).isInstanceOf(ConfigException.class);
    }

    @Test
    void aFallbackFilterIsACustomEndpointFilter() {
        Last last = new Last("last", 0);
        Map<String, NamedFilter> named = NamedFilters.of(List.of(MINE, last, new Last("greedy", 9)));
        assertThat(FilterAssembly.of(failing("last"), named).filters().fallbacks())
                .containsOnlyKeys("a")
                .containsValue(last);
        assertThat(Stream.of("lost", "respond", "mine", "greedy")
                        .flatMap(name -> FilterAssembly.faults(failing(name), named).stream()))
                .extracting(ConfigException::getMessage)
                .satisfiesExactly(
                        lost -> assertThat(lost)
                                .isEqualTo(
                                        "routes[0].on-failure.filter: lost (expected: an endpoint filter of your own;"
                                                + " did you mean 'last'?)"),
                        builtIn -> assertThat(builtIn)
                                .startsWith("routes[0].on-failure.filter: respond (expected: an endpoint filter of your"
                                        + " own; one of "),
                        inbound -> assertThat(inbound)
                                .isEqualTo(
                                        "routes[0].on-failure.filter: mine (expected: an endpoint filter; its phase is"
                                                + " inbound)"),
                        body -> assertThat(body)
                                .isEqualTo(
                                        "routes[0].on-failure.filter: greedy (expected: an endpoint filter that needs no"
                                                + " request body, because the body may already be sent)"));
    }

    private static GatewayConfig failing(String filter) {
        RouteResilience resilience = new RouteResilience(null, null, 5, OnFailure.filter(filter, Set.of()));
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("origin", "http://127.0.0.1:1")
                .route(RouteConfig.proxy("a", MatchConfig.ANY, "origin").withResilience(resilience))
                .config();
    }

    private record Last(String name, int most) implements EndpointFilter, SyncFilter {
        @Override
        public BodyNeed body() {
            return most == 0 ? BodyNeed.NONE : BodyNeed.whole(most);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.respond(503);
        }
    }

    @Test
    void refusesAmbiguousNames() {
        assertThatThrownBy(() -> NamedFilters.of(List.of(MINE, new Mine())))
                .hasMessageContaining("different names for");
        assertThatThrownBy(() -> NamedFilters.of(List.of(new Named("cors"))))
                .hasMessageContaining("a name that no built-in filter has");
    }

    private static org.assertj.core.groups.Tuple tuple(Object... values) {
        return org.assertj.core.groups.Tuple.tuple(values);
    }

    private static FilterConfig header(String name) {
        return new FilterConfig("set-request-header", Map.of("name", name, "value", "1"));
    }

    private static GatewayConfig config(List<FilterConfig> global, FilterConfig... ofRoute) {
        return Lychgate.builder()
                .listener("main", "127.0.0.1:0")
                .upstream("origin", "http://127.0.0.1:1")
                .route(RouteConfig.proxy("a", MatchConfig.ANY, "origin").withFilters(ofRoute))
                .filters(FiltersConfig.global(global.toArray(FilterConfig[]::new)))
                .config();
    }

    private static class Named implements InboundFilter, SyncFilter {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.proceed();
        }
    }

    private static final class Mine extends Named {
        Mine() {
            super("mine");
        }
    }
}
