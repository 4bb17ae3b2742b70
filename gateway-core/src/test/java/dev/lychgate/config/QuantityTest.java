package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuantityTest {
    @Test
    void printsTheSingularForOneOnly() {
        assertThat(Quantity.of(0, "file")).isEqualTo("0 files");
        assertThat(Quantity.of(1, "file")).isEqualTo("1 file");
        assertThat(Quantity.of(2, "file")).isEqualTo("2 files");
        assertThat(Quantity.of(1, "stored response")).isEqualTo("1 stored response");
    }

    @Test
    void printsTheRegularPluralOfNounsInY() {
        assertThat(Quantity.of(3, "entry")).isEqualTo("3 entries");
        assertThat(Quantity.of(1, "entry")).isEqualTo("1 entry");
        assertThat(Quantity.of(3, "gateway")).isEqualTo("3 gateways");
    }
}
