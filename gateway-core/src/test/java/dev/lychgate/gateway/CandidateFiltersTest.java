package dev.lychgate.gateway;

import static dev.lychgate.gateway.Candidates.CANARY;
import static dev.lychgate.gateway.Candidates.included;
import static dev.lychgate.testing.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.FilterBudget;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.generation.Generation;
import dev.lychgate.testing.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The filters of a candidate are watched like the filters of the stable generation, each filter separately. */
@Tag("slow")
class CandidateFiltersTest {
    private final GatewayConfig config = new Setup()
            .route("all", "/**", new RouteAction.Respond(200, Map.of(), "x"))
            .config();

    /** Keeps its event loop busy for some time. */
    private record Busy(Duration time, FilterBudget budget) implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "busy";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            long began = System.nanoTime();
            long now = began;
            while (now - began < time.toNanos()) {
                now = System.nanoTime();
            }
            return exchange.proceed();
        }
    }

    private static FilterSet busy(long millis, Map<String, ?> budget) {
        return FilterSet.of(new Busy(Duration.ofMillis(millis), FilterBudget.of(budget)));
    }

    private static FilterSlot filter(Generation of) {
        return of.filters().slots().get(0);
    }

    private static void get(RawClient client, String fields) throws IOException {
        client.send(Candidates.get(fields)).readResponse();
    }

    private GatewayConfig guarded(FilterGuard.Action action) {
        FilterGuard guard = new FilterGuard(action, Duration.ofMillis(50), 1);
        return config.withFilters(new FiltersConfig(null, List.of(), guard));
    }

    private static Generation candidate(Gateway of) {
        return requireNonNull(of.candidate());
    }

    @Test
    void aFilterOfTheCandidateThatBlocksALoopIsEjectedByTheCandidatesGuard() throws Exception {
        try (Gateway gateway =
                        Gateway.start(guarded(FilterGuard.Action.WARN), busy(400, Map.of()), ExchangeObserver.NONE);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            gateway.introduce(guarded(FilterGuard.Action.EJECT), busy(400, Map.of()), included());
            eventually(() -> {
                get(client, CANARY);
                assertThat(filter(candidate(gateway)).isEjected()).isTrue();
            });
            eventually(() -> {
                get(client, "");
                assertThat(filter(gateway.generation()).strikes()).isPositive();
            });
            assertThat(filter(gateway.generation()).isEjected()).isFalse();
        }
    }

    @Test
    void theBudgetOfACandidatesFilterCountsItsOwnRunsOnly() throws Exception {
        Map<String, String> budget = Map.of("time", "1ms", "over", "eject");
        try (Gateway gateway = Gateway.start(config, busy(0, budget), ExchangeObserver.NONE);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            gateway.introduce(config, busy(3, budget), included());
            eventually(() -> {
                for (int i = 0; i < 40; i++) {
                    get(client, "");
                }
                get(client, CANARY);
                assertThat(filter(candidate(gateway)).isEjected()).isTrue();
            });
            assertThat(filter(gateway.generation()).isEjected()).isFalse();
        }
    }

    @Test
    void strikesOfTheBudgetStayWithAFilterThatIsPromoted() throws Exception {
        Map<String, String> budget = Map.of("time", "1ms", "over", "limit");
        try (Gateway gateway = Gateway.start(config, FilterSet.EMPTY, ExchangeObserver.NONE);
                RawClient client = RawClient.connect(gateway.address("main"))) {
            FilterSlot slot = filter(gateway.introduce(config, busy(3, budget), included()));
            BudgetMeter meter = requireNonNull(slot.budget());
            eventually(() -> {
                get(client, CANARY);
                assertThat(meter.strikes()).isGreaterThanOrEqualTo(2);
            });
            gateway.promote();
            assertThat(filter(gateway.generation())).isSameAs(slot);
            while (!meter.isLimited()) {
                get(client, "");
                assertThat(meter.strikes()).isGreaterThanOrEqualTo(2);
            }
        }
    }
}
