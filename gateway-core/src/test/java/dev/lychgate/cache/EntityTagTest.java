package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Comparison of entity tags (RFC 9110, 8.8.3.2). */
class EntityTagTest {
    @ParameterizedTest
    @CsvSource({
        "W/\"1\", W/\"1\", false, true",
        "W/\"1\", W/\"2\", false, false",
        "W/\"1\", \"1\", false, true",
        "\"1\", \"1\", true, true",
        "\"1\", \"2\", false, false",
    })
    void comparesAsInTheTableOfTheRfc(String one, String other, boolean strong, boolean weak) {
        assertThat(EntityTag.equalsStrongly(one, other)).isEqualTo(strong);
        assertThat(EntityTag.equalsWeakly(one, other)).isEqualTo(weak);
    }

    @Test
    void findsATagInLists() {
        assertThat(EntityTag.isIn(List.of("\"a\", W/\"b\"", "\"c\""), "\"b\"")).isTrue();
        assertThat(EntityTag.isIn(List.of("\"a\", \"b\"", "\"c\""), "\"c\"")).isTrue();
        assertThat(EntityTag.isIn(List.of("\"a\""), "\"b\"")).isFalse();
        assertThat(EntityTag.isIn(List.of("*"), null)).isTrue();
        assertThat(EntityTag.isIn(List.of("\"a\""), null)).isFalse();
    }

    @Test
    void keepsCommasInsideOfTags() {
        assertThat(EntityTag.isIn(List.of("\"a,b\", \"c\""), "\"a,b\"")).isTrue();
        assertThat(EntityTag.isIn(List.of("\"a,b\""), "b\"")).isFalse();
        assertThat(EntityTag.isIn(List.of("\"*\""), "\"x\"")).isFalse();
    }
}
