package dev.lychgate.testing;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A synchronous filter made of a lambda. */
public record TestFilter(
        String name, FilterPhase phase, int order, FailurePolicy onFailure, BodyNeed body, Decision decision)
        implements SyncFilter {
    public interface Decision {
        @Nullable
        FilterOutcome on(FilterExchange exchange) throws Exception;
    }

    public static Filter inbound(Decision decision) {
        return of("in", FilterPhase.INBOUND, decision);
    }

    public static Filter outbound(Decision decision) {
        return of("out", FilterPhase.OUTBOUND, decision);
    }

    public static TestFilter of(String name, FilterPhase phase, Decision decision) {
        FailurePolicy policy = phase == FilterPhase.INBOUND || phase == FilterPhase.ENDPOINT
                ? FailurePolicy.FAIL_CLOSED
                : FailurePolicy.FAIL_OPEN;
        return new TestFilter(name, phase, 0, policy, BodyNeed.NONE, decision);
    }

    /** A filter in its slot in a separate generation. */
    public static FilterSlot slot(String name) {
        FilterSet filters = FilterSet.of(of(name, FilterPhase.INBOUND, exchange -> exchange.proceed()));
        return FilterChains.build(filters, Set.of(), 1, null).slots().get(0);
    }

    public TestFilter needing(int body) {
        return new TestFilter(name, phase, order, onFailure, BodyNeed.whole(body), decision);
    }

    public TestFilter failing(FailurePolicy policy) {
        return new TestFilter(name, phase, order, policy, body, decision);
    }

    public TestFilter at(int place) {
        return new TestFilter(name, phase, place, onFailure, body, decision);
    }

    @Override
    @SuppressWarnings("NullAway") // null is one of the things that a filter must not return
    public FilterOutcome filter(FilterExchange exchange) throws Exception {
        return decision.on(exchange);
    }

    /** The same filter, which applies to some exchanges only. */
    public record Applying(TestFilter filter, Predicate<FilterExchange> when) implements SyncFilter {
        @Override
        public String name() {
            return filter.name();
        }

        @Override
        public FilterPhase phase() {
            return filter.phase();
        }

        @Override
        public BodyNeed body() {
            return filter.body();
        }

        @Override
        public FailurePolicy onFailure() {
            return filter.onFailure();
        }

        @Override
        public boolean applies(FilterExchange exchange) {
            return when.test(exchange);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) throws Exception {
            return filter.filter(exchange);
        }
    }
}
