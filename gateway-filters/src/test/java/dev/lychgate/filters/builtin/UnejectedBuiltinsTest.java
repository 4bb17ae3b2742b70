package dev.lychgate.filters.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterChains;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients can't cause the ejection of a built-in filter by bodies that block an event loop. */
@Tag("slow")
class UnejectedBuiltinsTest {
    /** Blocks its loop, like a built-in filter that decodes a large window on a slow machine. */
    private static final class Slow implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "slow";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            long began = System.nanoTime();
            long now = began;
            while (now - began < TimeUnit.MILLISECONDS.toNanos(250)) {
                now = System.nanoTime();
            }
            return exchange.proceed();
        }
    }

    @Test
    void runsABuiltInFilterAfterItsStrikes() throws Exception {
        FilterSet filters = FilterSet.of(new Slow());
        FilterSlot slot = FilterChains.build(filters, Set.of(), 1, null).slots().get(0);
        assertThat(slot.isEjectable()).isFalse();
        try (Filtered way = Filtered.by(filters)) {
            for (int i = 0; i < 6; i++) {
                assertThat(way.get("/").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void noBuiltinFilterIsEjectable() {
        for (String kind : List.of("compress", "decompress", "request-id")) {
            List<FilterSlot> slots = FilterChains.build(Filtered.global(kind, Map.of()), Set.of(), 1, null)
                    .slots();
            assertThat(slots).isNotEmpty().noneMatch(FilterSlot::isEjectable);
        }
    }
}
