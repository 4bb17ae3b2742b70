package dev.lychgate.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BanRuleConfig;
import dev.lychgate.config.Percent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorSharesTest {
    private static final BanRuleConfig RULE =
            new BanRuleConfig(new Percent(50), List.of("4xx"), 10, Duration.ofSeconds(5), Duration.ofMinutes(1));
    private static final long CLIENT = 0x1234_5678_9abc_def0L;

    private final ErrorShares shares = new ErrorShares(1024, RULE);

    private boolean count(int times, boolean error, long second) {
        boolean reached = false;
        for (int i = 0; i < times; i++) {
            reached |= shares.count(CLIENT, error, second);
        }
        return reached;
    }

    @Test
    void theShareIsReachedWithEnoughResponses() {
        assertThat(count(9, true, 100)).isFalse();
        assertThat(count(1, true, 100)).isTrue();
    }

    @Test
    void responsesWithoutErrorsLowerTheShare() {
        assertThat(count(30, false, 100)).isFalse();
        assertThat(count(29, true, 101)).isFalse();
        assertThat(count(1, true, 102)).isTrue();
    }

    @Test
    void aPeriodThatIsOverCountsNoLonger() {
        assertThat(count(9, true, 100)).isFalse();
        assertThat(count(9, true, 105)).isFalse();
        assertThat(count(1, true, 109)).isTrue();
    }

    @Test
    void theCountsBeginAnewAfterTheShareWasReached() {
        assertThat(count(10, true, 100)).isTrue();
        assertThat(count(9, true, 100)).isFalse();
        assertThat(count(1, true, 100)).isTrue();
    }

    @Test
    void clientsAreCountedSeparately() {
        assertThat(count(9, true, 100)).isFalse();
        assertThat(shares.count(CLIENT + 1024, true, 100)).isFalse();
        assertThat(count(1, true, 100)).isTrue();
    }

    /** More clients than places: the first keep their counts, the others are not counted, and a later period has place again. */
    @Test
    void aFloodOfClientsLosesNoCountsOfOthers() {
        ErrorShares few = new ErrorShares(16, RULE);
        for (int i = 0; i < 9; i++) {
            assertThat(few.count(CLIENT, true, 100)).isFalse();
        }
        for (long other = 1; other < 1000; other++) {
            assertThat(few.count(other * 0x9e3779b97f4a7c15L, true, 100)).isFalse();
        }
        assertThat(few.count(CLIENT, true, 101)).isTrue();
    }

    @Test
    void manyResponsesKeepTheirShare() {
        for (int i = 0; i < 2_000_000; i++) {
            assertThat(shares.count(CLIENT, i % 10 > 5, 100)).isFalse();
        }
        assertThat(count(700_000, true, 100)).isTrue();
    }
}
