package dev.lychgate.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two good checks in a row make an endpoint healthy, three bad ones unhealthy. */
class RiseFallTest {
    private final RiseFall state = new RiseFall(2, 3);

    @ParameterizedTest
    @CsvSource({
        "+,     healthy",
        "-,     unhealthy",
        "+--,   healthy",
        "+---,  unhealthy",
        "+--+-, healthy",
        "+--+---, unhealthy",
        "-+,    unhealthy",
        "-++,   healthy",
        "-+-+,  unhealthy",
        "-+-++, healthy",
        "+---+--+, unhealthy",
    })
    void resultsInARowDecideAndTheFirstAtOnce(String results, String expected) {
        results.chars().forEach(result -> state.add(result == '+'));
        assertThat(state.isHealthy()).isEqualTo(expected.equals("healthy"));
    }

    @Test
    void anEndpointIsHealthyBeforeItsFirstCheck() {
        assertThat(state.isHealthy()).isTrue();
    }

    @Test
    void reportsOnlyChangesAndTheFirstResult() {
        assertThat(state.add(true)).isTrue();
        assertThat(state.add(true)).isFalse();
        assertThat(state.add(false)).isFalse();
        assertThat(state.add(false)).isFalse();
        assertThat(state.add(false)).isTrue();
        assertThat(state.add(false)).isFalse();
    }
}
