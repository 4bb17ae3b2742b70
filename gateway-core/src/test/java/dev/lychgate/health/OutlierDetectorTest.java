package dev.lychgate.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.OutlierConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.upstream.EndpointOutcomes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Five endpoints, two event loops, and a clock that is set by hand. */
class OutlierDetectorTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final OutlierConfig CONFIG = OutlierConfig.DEFAULT;

    private final List<String> ejected = new ArrayList<>();
    private final List<EndpointOutcomes> outcomes =
            IntStream.range(0, 5).mapToObj(i -> new EndpointOutcomes(2)).toList();
    private long now;
    private OutlierDetector detector = detector(CONFIG, outcomes);

    private OutlierDetector detector(OutlierConfig config, List<EndpointOutcomes> of) {
        return new OutlierDetector(
                config, of, (index, until, why) -> ejected.add(index + " until " + until / SECOND + ": " + why), now);
    }

    private void fail(int endpoint, int times) {
        for (int i = 0; i < times; i++) {
            outcomes.get(endpoint).failed(i % 2, 1_000_000);
        }
    }

    private void answer(int endpoint, int times, long millis) {
        for (int i = 0; i < times; i++) {
            outcomes.get(endpoint).answered(i % 2, millis * MILLI);
        }
    }

    private void lookAt(long second) {
        now = second * SECOND;
        detector.look(now);
    }

    @Test
    void consecutiveFailuresOnAllLoopsEject() {
        fail(3, 4);
        lookAt(1);
        assertThat(ejected).isEmpty();
        fail(3, 1);
        lookAt(1);
        assertThat(ejected).containsExactly("3 until 31: 5 failures in a row");
    }

    @Test
    void aResponseInBetweenResetsTheCount() {
        fail(3, 4);
        answer(3, 1, 10);
        fail(3, 4);
        lookAt(1);
        assertThat(ejected).isEmpty();
    }

    @Test
    void attemptsFromBeforeTheEjectionDoNotCount() {
        fail(3, 5);
        lookAt(1);
        fail(3, 20);
        lookAt(2);
        lookAt(32);
        assertThat(ejected).hasSize(1);
    }

    @Test
    void ejectsForLongerEachTime() {
        fail(3, 5);
        lookAt(1);
        lookAt(31);
        fail(3, 5);
        lookAt(32);
        assertThat(ejected.get(1)).startsWith("3 until 92:");
    }

    @Test
    void shortensTheEjectionStepByStepAfterSuccess() {
        fail(3, 5);
        lookAt(1);
        for (int second = 31; second < 60; second += 10) {
            lookAt(second);
        }
        fail(3, 5);
        lookAt(61);
        assertThat(ejected.get(1)).startsWith("3 until 91:");
    }

    @Test
    void doesNotEjectForLongerThanTheMaximum() {
        OutlierConfig short30 = new OutlierConfig(
                5,
                CONFIG.ejection(),
                Duration.ofSeconds(40),
                CONFIG.maxShare(),
                Duration.ofHours(1),
                20,
                CONFIG.margin(),
                0);
        detector = detector(short30, outcomes);
        fail(3, 5);
        lookAt(1);
        fail(3, 5);
        lookAt(31);
        fail(3, 5);
        lookAt(31);
        fail(3, 5);
        lookAt(72);
        assertThat(ejected)
                .extracting(line -> line.substring(0, line.indexOf(':')))
                .containsExactly("3 until 31", "3 until 71", "3 until 112");
    }

    @Test
    void doesNotEjectMoreThanTheShare() {
        for (int endpoint = 0; endpoint < 5; endpoint++) {
            fail(endpoint, 5);
        }
        lookAt(1);
        assertThat(ejected).hasSize(2);
        lookAt(31);
        assertThat(ejected).as("others are ejected when these have returned").hasSize(4);
    }

    @Test
    void theOnlyEndpointIsNeverEjected() {
        detector = detector(CONFIG, outcomes.subList(0, 1));
        fail(0, 100);
        lookAt(1);
        lookAt(11);
        assertThat(ejected).isEmpty();
    }

    @Test
    void anEndpointThatFailsMoreOftenThanItsPeersIsEjectedAtTheEndOfTheInterval() {
        for (int i = 0; i < 20; i++) {
            fail(2, 2);
            answer(2, 3, 10);
            for (int peer : new int[] {0, 1, 3, 4}) {
                answer(peer, 5, 10);
            }
        }
        fail(0, 3);
        lookAt(9);
        assertThat(ejected).isEmpty();
        lookAt(10);
        assertThat(ejected)
                .containsExactly("2 until 40: 40% of its attempts failed, compared with 1% of its peers' attempts");
    }

    @Test
    void equalFailuresOfAllEndpointsAreNoOutlier() {
        for (int i = 0; i < 50; i++) {
            for (int endpoint = 0; endpoint < 5; endpoint++) {
                fail(endpoint, 3);
                answer(endpoint, 1, 10);
            }
        }
        lookAt(10);
        assertThat(ejected).isEmpty();
    }

    @Test
    void fewAttemptsDoNotEject() {
        for (int i = 0; i < 9; i++) {
            fail(2, 1);
            answer(2, 1, 10);
        }
        for (int i = 0; i < 100; i++) {
            answer(0, 1, 10);
        }
        lookAt(10);
        assertThat(ejected).isEmpty();
    }

    @Test
    void eachIntervalIsJudgedByItself() {
        fail(2, 4);
        answer(2, 6, 10);
        answer(0, 1000, 10);
        lookAt(10);
        fail(2, 4);
        answer(2, 6, 10);
        lookAt(20);
        assertThat(ejected).isEmpty();
    }

    @Test
    void aMuchSlowerEndpointIsEjectedIfConfigured() {
        OutlierConfig slower = new OutlierConfig(
                5,
                CONFIG.ejection(),
                CONFIG.longest(),
                CONFIG.maxShare(),
                CONFIG.interval(),
                CONFIG.minimum(),
                new Percent(30),
                10);
        detector = detector(slower, outcomes);
        answer(1, 20, 1000);
        answer(2, 20, 90);
        for (int peer : new int[] {0, 3, 4}) {
            answer(peer, 100, 10);
        }
        lookAt(10);
        assertThat(ejected).containsExactly("1 until 40: it responds in 1000 ms, its peers in 15 ms");
    }
}
