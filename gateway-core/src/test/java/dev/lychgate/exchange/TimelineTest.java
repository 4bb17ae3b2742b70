package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.exchange.state.FilterTimes;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.testing.TestFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The recorded times of an exchange as a table: events, including ticks of the clock, and the ticks in each phase. Every play
 * on every {@link Stage} verifies that the phases have no gaps.
 */
class TimelineTest {
    private static final String OK = " says:HTTP/1.1_200_OK~Content-Length:_2~~ ";

    private record Row(String sentence, String events, String phases) {
        @Override
        public String toString() {
            return sentence;
        }
    }

    private static Row row(String sentence, String events, String phases) {
        return new Row(sentence, events, phases);
    }

    static Stream<Row> plain() {
        return Stream.of(
                row(
                        "a new connection, an origin with a delay, and a slow response",
                        "GET/api/x tick connects tick tick" + OK + "tick tick tick says:hi",
                        "inbound 0 connection 1 connect 0 origin 2 outbound 0 body 3"),
                row(
                        "a pooled connection costs no time",
                        "pooled GET/api/x tick" + OK + "says:hi",
                        "inbound 0 connection 0 origin 1 outbound 0 body 0"),
                row(
                        "the wait for the body precedes the wait for the origin",
                        "POST/api/x tick connects piece tick tick end tick" + OK + "says:hi",
                        "inbound 0 connection 1 connect 0 upload 2 origin 1 outbound 0 body 0"),
                row(
                        "a body that arrives before its connection",
                        "POST/api/x piece tick end connects tick" + OK + "says:hi",
                        "inbound 0 connection 1 connect 0 upload 0 origin 1 outbound 0 body 0"),
                row(
                        "a body that arrives in the same turn as its head",
                        "pooled POST/api/x piece end tick" + OK + "says:hi",
                        "inbound 0 connection 0 upload 0 origin 1 outbound 0 body 0"),
                row(
                        "a response before the end of the body ends the upload",
                        "pooled POST/api/x tick piece tick" + OK + "tick says:hi",
                        "inbound 0 connection 0 upload 2 origin 0 outbound 0 body 1"),
                row("a response of the route is immediate", "GET/local", "inbound 0 body 0"),
                row(
                        "no connection: all of the time, and none for the origin",
                        "GET/api/x tick tick refuses",
                        "inbound 0 connection 2 body 0"),
                row(
                        "an origin that never responds, until the exchange times out after a second",
                        "pooled GET/api/x tick time",
                        "inbound 0 connection 0 origin 11 body 0"),
                row(
                        "a client that leaves while the origin processes the request",
                        "pooled GET/api/x tick leaves",
                        "inbound 0 connection 0 origin 1"),
                row(
                        "a client that leaves within the response",
                        "pooled GET/api/x tick" + OK + "tick tick leaves",
                        "inbound 0 connection 0 origin 1 outbound 0 body 2"),
                row(
                        "an origin that closes within the response",
                        "pooled GET/api/x tick" + OK + "tick hangs-up",
                        "inbound 0 connection 0 origin 1 outbound 0 body 1"),
                row(
                        "a stale pooled connection is a failed attempt",
                        "pooled GET/api/x tick tick hangs-up tick connects tick tick tick" + OK + "says:hi",
                        "inbound 0 attempts 2 connection 1 connect 0 origin 3 outbound 0 body 0"));
    }

    @ParameterizedTest
    @MethodSource("plain")
    void reportsTimeByPhase(Row row) {
        try (Stage stage = new Stage(FilterSet.EMPTY)) {
            stage.play(row.events());
            assertThat(stage.phases()).hasToString(row.phases());
        }
    }

    private final CompletableFuture<FilterOutcome> response = new CompletableFuture<>();

    private final class Later implements AsyncFilter {
        private final FilterPhase phase;

        Later(FilterPhase phase) {
            this.phase = phase;
        }

        @Override
        public String name() {
            return "later";
        }

        @Override
        public FilterPhase phase() {
            return phase;
        }

        @Override
        public CompletionStage<FilterOutcome> filter(FilterExchange exchange) {
            return response;
        }
    }

    private static Filter quick(String name, FilterPhase phase) {
        return TestFilter.of(name, phase, exchange -> exchange.proceed());
    }

    @Test
    void anAsynchronousFilterAddsTimeBeforeTheFirstAttempt() {
        try (Stage stage =
                new Stage(FilterSet.of(quick("first", FilterPhase.INBOUND), new Later(FilterPhase.INBOUND)))) {
            stage.play("GET/api/x tick tick tick");
            response.complete(FilterOutcome.Proceed.PROCEED);
            stage.play("tasks tick connects tick" + OK + "says:hi");
            assertThat(stage.phases()).hasToString("inbound 3 connection 1 connect 0 origin 1 outbound 0 body 0");
            assertThat(stage.phases().filters()).containsExactly("global:first:proceed:0", "global:later:proceed:3");
        }
    }

    @Test
    void outboundFiltersHaveASeparatePhase() {
        try (Stage stage = new Stage(FilterSet.of(new Later(FilterPhase.OUTBOUND)))) {
            stage.play("GET/api/x connects tick" + OK + "tick tick");
            response.complete(FilterOutcome.Proceed.PROCEED);
            stage.play("tasks tick says:hi");
            assertThat(stage.phases()).hasToString("inbound 0 connection 0 connect 0 origin 1 outbound 2 body 1");
            assertThat(stage.phases().filters()).containsExactly("outbound:later:proceed:2");
        }
    }

    @Test
    void recordsAnAbandonedFilter() {
        try (Stage stage = new Stage(FilterSet.of(new Later(FilterPhase.INBOUND)))) {
            stage.play("GET/api/x tick tick leaves");
            assertThat(stage.phases()).hasToString("inbound 2");
            assertThat(stage.phases().filters()).containsExactly("global:later:given-up:2");
        }
    }

    @Test
    void aFilterThatRespondsLeavesNoTimeForTheOrigin() {
        Filter refuses = TestFilter.of("refuses", FilterPhase.INBOUND, exchange -> exchange.respond(403, "no"));
        try (Stage stage = new Stage(FilterSet.of(refuses))) {
            stage.play("GET/api/x");
            assertThat(stage.phases()).hasToString("inbound 0 body 0");
            assertThat(stage.phases().filters()).containsExactly("global:refuses:respond:0");
        }
    }

    @Test
    void recordsOfAnExchangeDoNotAppearInTheNext() {
        try (Stage stage = new Stage(FilterSet.of(quick("only", FilterPhase.INBOUND)))) {
            stage.play("pooled GET/api/x" + OK + "says:hi");
            assertThat(stage.phases().filters()).containsExactly("global:only:proceed:0");
            List<String> late = new ArrayList<>();
            stage.exchange().record().timeline().filters((slot, of, from, to, outcome) -> late.add(slot.name()));
            assertThat(late).isEmpty();
        }
    }

    @Test
    void reportsLongChainsCompletelyAndEndlessOnesUpToABound() {
        FilterTimes.Spare spare = new FilterTimes.Spare();
        FilterTimes times = spare.take();
        for (int i = 0; i < 10_000; i++) {
            times.ran(TestFilter.slot("x"), FilterStage.GLOBAL, i, i + 1, FilterOutcome.Proceed.PROCEED);
        }
        List<Long> told = new ArrayList<>();
        times.visit((slot, stage, from, to, outcome) -> told.add(from));
        assertThat(told).hasSize(256).startsWith(0L, 1L).endsWith(255L);
        spare.giveBack(times);
        assertThat(spare.take()).as("one that has grown is not kept").isNotSameAs(times);
    }
}
