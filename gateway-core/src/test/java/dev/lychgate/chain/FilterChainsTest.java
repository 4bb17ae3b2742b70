package dev.lychgate.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.ErrorFilter;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order of filters, and the identity of a filter. */
class FilterChainsTest {
    private static final Set<String> ROUTES = Set.of("a", "b");

    @Test
    void runsListedFiltersInTheOrderOfTheirList() {
        FilterSet filters = FilterSet.EMPTY
                .with(new Named("z", 0), Set.of("a"), 1)
                .with(new Named("m", 0), Set.of("a"), 2)
                .with(new Named("b", 0), Set.of("a"), 3);

        assertThat(names(chains(filters).of("a").inbound())).containsExactly("z", "m", "b");
    }

    @Test
    void sortsByOrderThenUnlistedBeforeListedFilters() {
        FilterSet filters = FilterSet.of(new Named("y", 0), new Named("x", 0))
                .with(new Named("listed", 0), Set.of(), 1)
                .with(new Named("first", -1), Set.of(), 2);

        assertThat(names(chains(filters).inbound())).containsExactly("first", "x", "y", "listed");
    }

    @Test
    void countsAFilterInSeveralListsAsOneFilter() {
        Named shared = new Named("shared", 0);
        FilterChains chains = chains(FilterSet.EMPTY
                .with(shared, Set.of("b"), 1)
                .with(shared, Set.of("a"), 1)
                .with(shared, Set.of(), 1));

        assertThat(chains.slots()).hasSize(1);
        assertThat(chains.of("a").inbound()[0]).isSameAs(chains.of("b").inbound()[0]);
        assertThat(chains.placements())
                .containsExactly(new FilterChains.Placement(chains.slots().get(0), true, List.of("b", "a")));
    }

    @Test
    void countsStrikesOverGenerationsButEjectsByTheStrikesOfOne() {
        FilterSet filters = FilterSet.of(new Named("slow", 0));
        FilterChains first = chains(filters);
        first.slots().get(0).strike();
        FilterChains next = FilterChains.build(filters, ROUTES, 1, first);

        assertThat(next.slots().get(0).strikes()).isZero();
        assertThat(next.slots().get(0).stats().strikes()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void refusesSettingsWithoutEffectAndNamesTheirFilter(Unsaid what) {
        assertThatThrownBy(() -> chains(FilterSet.of(new Silent(what))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Silent.class.getName())
                .hasMessageContaining(what == Unsaid.TOO_LONG ? "overflow" : "returned null");
    }

    @Test
    void anErrorFilterThatRequestsABodyIsRefused() {
        record Waiting() implements ErrorFilter, SyncFilter {
            @Override
            public BodyNeed body() {
                return BodyNeed.whole(1024);
            }

            @Override
            public FilterOutcome filter(FilterExchange exchange) {
                return exchange.proceed();
            }
        }
        assertThatThrownBy(() -> chains(FilterSet.of(new Waiting())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Waiting declares a body");
    }

    private enum Unsaid {
        BODY,
        TIMEOUT,
        TOO_LONG,
        POLICY
    }

    /** Leaves out one of its settings. */
    @SuppressWarnings("NullAway") // what filters must not return
    private record Silent(Unsaid what) implements InboundFilter, SyncFilter {
        @Override
        public BodyNeed body() {
            return what == Unsaid.BODY ? null : BodyNeed.NONE;
        }

        @Override
        public Duration timeout() {
            return switch (what) {
                case TIMEOUT -> null;
                case TOO_LONG -> Duration.ofDays(100_000_000);
                default -> DEFAULT_TIMEOUT;
            };
        }

        @Override
        public FailurePolicy onFailure() {
            return what == Unsaid.POLICY ? null : FailurePolicy.FAIL_CLOSED;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.proceed();
        }
    }

    private static FilterChains chains(FilterSet filters) {
        return FilterChains.build(filters, ROUTES, 1, null);
    }

    private static List<String> names(FilterSlot[] slots) {
        return Arrays.stream(slots).map(FilterSlot::name).toList();
    }

    private static final class Named implements InboundFilter, SyncFilter {
        private final String name;
        private final int order;

        Named(String name, int order) {
            this.name = name;
            this.order = order;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int order() {
            return order;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.proceed();
        }
    }
}
