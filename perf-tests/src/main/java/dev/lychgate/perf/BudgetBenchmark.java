package dev.lychgate.perf;

import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.FilterBudget;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.pool.Permits;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;

/** The cost of budgets per exchange with ten filters: the permits and measurements of ten runs. */
public class BudgetBenchmark extends NanosecondBenchmark {
    /** The time between two exchanges, as at 50,000 requests per second. */
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(20);

    private static final long RUN = 50;

    private final BudgetMeter[] meters = meters();
    private long now = System.nanoTime();

    private static BudgetMeter[] meters() {
        Filter[] filters = IntStream.range(0, 10).mapToObj(Nothing::new).toArray(Filter[]::new);
        FilterBudget budget = FilterBudget.of(Map.of("cpu", "1s", "allocation", "1GiB", "time", "1s", "over", "eject"));
        return FilterChains.build(FilterSet.of(filters), Set.of(), 1, null, budget).slots().stream()
                .map(FilterSlot::budget)
                .map(Objects::requireNonNull)
                .toArray(BudgetMeter[]::new);
    }

    /** Ten runs that stay within their budgets. */
    @Benchmark
    public long tenFilters() {
        now += PAUSE;
        long admitted = 0;
        for (BudgetMeter meter : meters) {
            Permits place = meter.enter(0, now);
            meter.ran(0, RUN);
            meter.left(0);
            if (place != null) {
                admitted++;
                place.release();
            }
        }
        return admitted;
    }

    private record Nothing(int index) implements SyncFilter {
        @Override
        public String name() {
            return "nothing-" + index;
        }

        @Override
        public FilterPhase phase() {
            return FilterPhase.INBOUND;
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.proceed();
        }
    }
}
