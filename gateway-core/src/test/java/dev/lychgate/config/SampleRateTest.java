package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SampleRateTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "0%, 0", "100%, 1", "10%, 0.1", "0.1%, 0.001", "12.3%, 0.123", "0.0001%, 0.000001"})
    void readsPercent(String text, double fraction) {
        assertThat(SampleRate.parse(text)).isEqualTo(new SampleRate(fraction));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "10", "0.1", "101%", "100.1%", "-1%", "1.%", ".5%", "0.00001%", "1000%", "10 %"})
    void refusesTheRest(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SampleRate.parse(text))
                .withMessage("0% to 100%, such as 10% or 0.1%");
    }

    @Test
    void isShownAsItIsWritten() {
        assertThat(SampleRate.parse("0.1%")).hasToString("0.1%");
        assertThat(SampleRate.ALL).hasToString("100%");
        assertThat(SampleRate.ALL.isAll()).isTrue();
        assertThat(SampleRate.parse("0")).hasToString("0%");
    }
}
