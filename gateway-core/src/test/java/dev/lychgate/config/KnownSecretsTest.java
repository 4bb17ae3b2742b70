package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownSecretsTest {
    private final KnownSecrets known = new KnownSecrets();

    @ParameterizedTest
    @CsvSource({
        "hunter2-hunter2, ***",
        "Bearer hunter2-hunter2, Bearer ***",
        "hunter2-hunter2hunter2-hunter2, ******",
        "xhunter2-hunter2y, x***y",
        "hunter2-hunter3, hunter2-hunter3",
        "hunter2-hunter, hunter2-hunter",
        "hunter2-hunter2-and-more, ***",
        "hunhunter2-hunter2, hun***",
        "'', ''"
    })
    void replacesSecretsWhereverTheyBegin(String text, String hidden) {
        known.add(List.of("hunter2-hunter2", "hunter2-hunter2-and-more"));
        assertThat(known.hide(text)).isEqualTo(hidden);
    }

    @Test
    void returnsTheSameTextWithoutSecrets() {
        String text = "a text that has no secret";
        assertThat(known.hide(text)).isSameAs(text);
        known.add(List.of("another-secret"));
        assertThat(known.hide(text)).isSameAs(text);
    }

    @Test
    void findsTheLinesOfASecretOneByOne() {
        known.add(List.of("-----BEGIN KEY-----\r\n  c2VjcmV0LWtleQ==\n-----END KEY-----"));
        assertThat(known.hide("at c2VjcmV0LWtleQ== | -----END KEY-----")).isEqualTo("at *** | ***");
    }

    @Test
    void findsTheSpellingsInUrls() {
        known.add(List.of("p&ss wörd/1"));
        assertThat(known.hide("?a=p%26ss+w%C3%B6rd%2F1&b=p%26ss%20w%C3%B6rd%2F1#p&ss wörd/1"))
                .isEqualTo("?a=***&b=***#***");
    }

    @Test
    void ignoresTextsThatOccurByChance() {
        known.add(List.of("8080", "", "seven-7"));
        assertThat(known.hide("port 8080 of seven-7")).isEqualTo("port 8080 of seven-7");
    }

    @Test
    void forgetsTheOldestSecretsFirst() {
        known.add(List.of("the-first-secret"));
        known.add(List.of("the-renewed-secret"));
        for (int i = 0; i < KnownSecrets.MOST; i += 100) {
            int from = i;
            known.add(IntStream.range(0, 100)
                    .mapToObj(n -> String.format("secret-%06d", from + n))
                    .toList());
        }
        assertThat(known.hide("the-first-secret secret-000000 secret-001999")).isEqualTo("the-first-secret *** ***");
    }

    @Test
    void findsSecretsInListsAndMappings() {
        Object setting = Map.of("a", List.of("plain", new Secret("one")), "b", new Secret("two"));
        assertThat(Secret.in(setting)).containsExactlyInAnyOrder("one", "two");
        assertThat(Secret.isIn(List.of("plain"))).isFalse();
        assertThat(setting.toString()).doesNotContain("one", "two");
    }

    @Test
    void hidesTheLongestSecretFirst() {
        assertThat(Secret.hide("token-long token", List.of("token", "token-long", "t", "")))
                .isEqualTo("*** ***");
    }
}
