package dev.lychgate.filters.testing;

import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.BlockingFilter;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Filters for tests, one line each. */
abstract class Step implements Filter {
    private final String name;
    private final FilterPhase phase;

    private Step(String name, FilterPhase phase) {
        this.name = name;
        this.phase = phase;
    }

    interface Decision<T> {
        T of(FilterExchange exchange) throws Exception;
    }

    static Filter sync(String name, FilterPhase phase, Decision<FilterOutcome> decision) {
        class Sync extends Step implements SyncFilter {
            Sync() {
                super(name, phase);
            }

            @Override
            public FilterOutcome filter(FilterExchange exchange) throws Exception {
                return decision.of(exchange);
            }
        }
        return new Sync();
    }

    /** Its timeout is two seconds. */
    static Filter async(String name, FilterPhase phase, Decision<CompletionStage<FilterOutcome>> decision) {
        class Async extends Step implements AsyncFilter {
            Async() {
                super(name, phase);
            }

            @Override
            public Duration timeout() {
                return Duration.ofSeconds(2);
            }

            @Override
            public CompletionStage<FilterOutcome> filter(FilterExchange exchange) throws Exception {
                return decision.of(exchange);
            }
        }
        return new Async();
    }

    static Filter blocking(String name, FilterPhase phase, Decision<FilterOutcome> decision) {
        class Blocking extends Step implements BlockingFilter {
            Blocking() {
                super(name, phase);
            }

            @Override
            public FilterOutcome filter(FilterExchange exchange) throws Exception {
                return decision.of(exchange);
            }
        }
        return new Blocking();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public FilterPhase phase() {
        return phase;
    }

    @Override
    public BodyNeed body() {
        return name.contains("body") ? BodyNeed.whole(100) : BodyNeed.NONE;
    }
}
