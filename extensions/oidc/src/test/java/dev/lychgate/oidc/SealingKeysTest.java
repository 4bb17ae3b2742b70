package dev.lychgate.oidc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.ConfigException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class SealingKeysTest {
    private static final String OLD = "an old key of at least 32 characters";
    private static final String NEW = "a newer key of at least 32 characters";

    private static SealingKeys keys(String... secrets) {
        return SealingKeys.of(List.of(secrets), new SecureRandom());
    }

    @Test
    void opensForTheSamePurposeOnly() {
        SealingKeys keys = keys(OLD);
        String sealed = keys.seal("session", "content".getBytes(UTF_8));
        assertThat(keys.open("session", sealed)).asString(UTF_8).isEqualTo("content");
        assertThat(keys.open("login", sealed)).isNull();
        assertThat(keys.seal("session", "content".getBytes(UTF_8))).isNotEqualTo(sealed);
    }

    @Test
    void opensNoValueWithAnAlteredByteOrAnotherLength() {
        SealingKeys keys = keys(OLD);
        byte[] sealed = Base64.getUrlDecoder().decode(keys.seal("session", "content".getBytes(UTF_8)));
        for (int i = 0; i < sealed.length; i++) {
            byte[] altered = sealed.clone();
            altered[i] ^= 1;
            assertThat(keys.open("session", Base64.getUrlEncoder().encodeToString(altered)))
                    .as("byte " + i)
                    .isNull();
        }
        for (String other : List.of("", "a", "%", "AQ", "AQAAAAAAAAAA", "ä")) {
            assertThat(keys.open("session", other)).as(other).isNull();
        }
    }

    @Test
    void aListOfKeysEncryptsWithItsFirstKeyAndDecryptsWithEach() {
        String old = keys(OLD).seal("session", new byte[] {1});
        SealingKeys both = keys(NEW, OLD);
        assertThat(both.open("session", old)).containsExactly(1);
        String renewed = both.seal("session", new byte[] {2});
        assertThat(keys(NEW).open("session", renewed)).containsExactly(2);
        assertThat(keys(OLD).open("session", renewed)).isNull();
        assertThat(keys(NEW).open("session", old)).isNull();
    }

    @Test
    void refusesAKeyThatIsListedTwice() {
        assertThatThrownBy(() -> keys(OLD, OLD))
                .isInstanceOf(ConfigException.class)
                .hasMessage("session-keys: *** (expected: each key once)");
    }
}
