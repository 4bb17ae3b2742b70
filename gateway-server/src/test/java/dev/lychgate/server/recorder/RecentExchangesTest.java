package dev.lychgate.server.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecentExchangesTest {
    private long clock;
    private long wallClock;

    private RecordedExchange exchange(Reason reason, @Nullable String route, @Nullable String error) {
        clock++;
        wallClock++;
        return new RecordedExchange(
                reason,
                "id-" + clock,
                null,
                wallClock,
                clock,
                1_000,
                "main",
                false,
                "127.0.0.1",
                null,
                503,
                route,
                error == null ? null : new RecordedExchange.Fault(error, "upstream", "none"),
                0,
                0,
                1,
                Map.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                null);
    }

    private void take(RecentExchanges recent, int count, String route, @Nullable String error) {
        for (int i = 0; i < count; i++) {
            recent.write(exchange(Reason.FAILED, route, error));
        }
    }

    private static Map<String, Integer> kept(RecentExchanges recent) {
        return recent.kinds().stream()
                .collect(Collectors.toMap(
                        each -> each.kind().route() + " " + each.kind().error(), ExchangeKind.Kept::kept));
    }

    @Test
    void keepsTheFailuresThatOpenedACircuitThroughAStormOfRefusals() {
        RecentExchanges recent = new RecentExchanges(16);
        take(recent, 5, "api", "connect-refused");
        take(recent, 10_000, "api", "circuit-open");
        assertThat(kept(recent)).containsOnly(Map.entry("api connect-refused", 5), Map.entry("api circuit-open", 11));
        assertThat(recent.find("id-1")).isPresent();
    }

    @Test
    void ordersExchangesAndKindsByStartAlsoAfterAClockJump() {
        RecentExchanges recent = new RecentExchanges(16);
        wallClock = 1_000_000;
        take(recent, 1, "api", "connect-refused");
        wallClock = 0;
        take(recent, 1, "api", "circuit-open");
        assertThat(recent.all()).extracting(RecordedExchange::id).containsExactly("id-2", "id-1");
        assertThat(recent.latest(1, kind -> true))
                .extracting(RecordedExchange::id)
                .containsExactly("id-2");
        assertThat(recent.kinds())
                .extracting(each -> each.kind().error())
                .containsExactly("circuit-open", "connect-refused");
    }

    @Test
    void dividesTheRoomEquallyAmongKindsThatFailOften() {
        RecentExchanges recent = new RecentExchanges(12);
        for (int i = 0; i < 100; i++) {
            take(recent, 1, "a", "reset");
            take(recent, 3, "a", "response-timeout");
            take(recent, 9, "b", "reset");
        }
        assertThat(kept(recent))
                .containsOnly(Map.entry("a reset", 4), Map.entry("a response-timeout", 4), Map.entry("b reset", 4));
        assertThat(recent.all()).hasSize(12);
    }

    @Test
    void removesTheOldestOfTheLargestKind() {
        RecentExchanges recent = new RecentExchanges(3);
        take(recent, 5, "api", "reset");
        assertThat(recent.all()).extracting(RecordedExchange::id).containsExactly("id-5", "id-4", "id-3");
        take(recent, 1, "other", "reset");
        assertThat(recent.all()).extracting(RecordedExchange::id).containsExactly("id-6", "id-5", "id-4");
    }

    @Test
    void boundsTheExchangesOfEachReasonAndTheNumberOfKinds() {
        RecentExchanges recent = new RecentExchanges(5_000);
        for (int route = 0; route < 2_000; route++) {
            take(recent, 2, "route-" + route, "reset");
        }
        recent.write(exchange(Reason.SLOW, "api", null));
        assertThat(recent.kinds()).hasSize(Reservoir.MOST_KINDS + 1);
        assertThat(recent.all()).hasSize(4_001);
        take(recent, 5_000, "one-more", "reset");
        assertThat(recent.all()).hasSize(5_001);
        assertThat(recent.latest(10, kind -> kind.route().equals("others"))).hasSize(10);
        assertThat(recent.latest(10, kind -> kind.reason() == Reason.SLOW)).hasSize(1);
    }

    @Test
    void removesKindsWithoutExchanges() {
        RecentExchanges recent = new RecentExchanges(2);
        take(recent, 1, "a", "reset");
        take(recent, 1, "b", "reset");
        take(recent, 1, "c", "reset");
        assertThat(kept(recent)).containsOnlyKeys("b reset", "c reset");
    }

    @Test
    void keepsNothingWithALimitOfZero() {
        RecentExchanges recent = new RecentExchanges(0);
        take(recent, 3, "api", "reset");
        assertThat(recent.all()).isEmpty();
        assertThat(recent.kinds()).isEmpty();
    }

    @Test
    void listsTheLatestOfEachKindBeforeTheSecondLatestOfAny() {
        RecentExchanges recent = new RecentExchanges(100);
        take(recent, 2, "api", "connect-refused");
        recent.write(exchange(Reason.SLOW, "api", null));
        take(recent, 50, "api", "circuit-open");
        take(recent, 1, "web", null);
        assertThat(recent.latest(5, kind -> true))
                .extracting(RecordedExchange::id)
                .containsExactly("id-54", "id-53", "id-52", "id-3", "id-2");
        assertThat(recent.latest(5, kind -> kind.error().equals("connect-refused")))
                .extracting(RecordedExchange::id)
                .containsExactly("id-2", "id-1");
        assertThat(recent.latest(1, kind -> kind.error().equals("503")))
                .as("the status is the kind without an error")
                .extracting(RecordedExchange::route)
                .containsExactly("web");
    }
}
