package dev.lychgate.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimTextTest {
    @Test
    void textsNumbersAndFlagsAreTheirText() {
        assertThat(ClaimText.of("a b")).isEqualTo("a b");
        assertThat(ClaimText.of(7)).isEqualTo("7");
        assertThat(ClaimText.of(7.0)).isEqualTo("7");
        assertThat(ClaimText.of(7.5)).isEqualTo("7.5");
        assertThat(ClaimText.of(new BigInteger("123456789012345678901234567890")))
                .isEqualTo("123456789012345678901234567890");
        assertThat(ClaimText.of(true)).isEqualTo("true");
    }

    @Test
    void wordsOfAListAreJoinedByBlanks() {
        assertThat(ClaimText.of(List.of("a", "b"))).isEqualTo("a b");
        for (Object claim : List.of(List.of(1), List.of("a", "b c"), List.of("a", ""), List.of(), Map.of("a", 1))) {
            assertThat(ClaimText.of(claim)).as(claim.toString()).isNull();
        }
        assertThat(ClaimText.of(null)).isNull();
    }

    @Test
    void oneElementOfAListMustMatch() {
        assertThat(ClaimText.anyMatch(List.of("a b", 7), "7"::equals)).isTrue();
        assertThat(ClaimText.anyMatch(List.of("a b", 7), "a b"::equals)).isTrue();
        assertThat(ClaimText.anyMatch(List.of("a", Map.of()), "b"::equals)).isFalse();
        assertThat(ClaimText.anyMatch("a", "a"::equals)).isTrue();
        assertThat(ClaimText.anyMatch(null, text -> true)).isFalse();
        assertThat(ClaimText.anyMatch(Map.of(), text -> true)).isFalse();
    }
}
