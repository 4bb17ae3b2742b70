package dev.lychgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.CharBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Hashes of keys: equal parts have equal hashes, other parts and other keys of the process do not. */
class KeyedHashTest {
    private final KeyedHash hash = new KeyedHash(1, 2);

    @Test
    void dependsOnEveryCharacterAndOnTheLength() {
        Set<Long> seen = new HashSet<>();
        String text = "a".repeat(40);
        for (int length = 0; length <= text.length(); length++) {
            assertThat(seen.add(hash.of(0, text.substring(0, length)))).isTrue();
        }
        for (int i = 0; i < text.length(); i++) {
            assertThat(seen.add(hash.of(0, text.substring(0, i) + 'b' + text.substring(i + 1))))
                    .isTrue();
        }
        assertThat(seen.add(hash.of(0, "\0"))).isTrue();
        assertThat(hash.of(0, "tenant-1")).isEqualTo(hash.of(0, CharBuffer.wrap("tenant-1")));
    }

    @Test
    void dependsOnTheOrderAndTheBoundsOfParts() {
        assertThat(hash.of(hash.of(0, "ab"), "c")).isNotEqualTo(hash.of(hash.of(0, "a"), "bc"));
        assertThat(hash.of(hash.of(0, "a"), "b")).isNotEqualTo(hash.of(hash.of(0, "b"), "a"));
        assertThat(hash.of(0, 7)).isNotEqualTo(hash.of(7, 0));
    }

    @Test
    void dependsOnTheKeyOfTheProcess() {
        assertThat(new KeyedHash(1, 3).of(0, "a")).isNotEqualTo(hash.of(0, "a"));
        assertThat(KeyedHash.OF_PROCESS.of(0, "a")).isEqualTo(KeyedHash.OF_PROCESS.of(0, "a"));
    }
}
