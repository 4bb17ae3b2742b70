package dev.lychgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Key;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table of docs/redis.md is that of the keys. With {@code -Dlychgate.generate=true} it is written instead of compared. */
@Tag("any-jdk")
class ReferenceTest {
    private static final String HEAD = "| Key | Type, unit | Default | Meaning |\n| --- | --- | --- | --- |\n";

    @Test
    void theTableIsThatOfTheKeys() throws Exception {
        Path page = Path.of("../../docs/redis.md");
        StringBuilder table = new StringBuilder(HEAD);
        new Redis().keys().keys().forEach(key -> table.append(row(key)));
        String before = Files.readString(page);
        String expected = Pattern.compile(Pattern.quote(HEAD) + "(?:\\|.*\\n)*")
                .matcher(before)
                .replaceAll(Matcher.quoteReplacement(table.toString()));
        if (Boolean.getBoolean("lychgate.generate")) {
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page)).isEqualTo(expected);
    }

    private static <T> String row(Key<T> key) {
        String range = key.form().expected();
        return "| `extensions.redis." + key.name() + "` | " + key.form().words() + " | " + otherwise(key) + " | "
                + key.about() + (range == null ? "" : "; " + range) + " |\n";
    }

    private static <T> String otherwise(Key<T> key) {
        if (key.requires() != null) {
            return "**required**";
        }
        String absent = key.absence();
        return absent != null ? absent : "`" + key.form().print().apply(key.otherwise()) + "`";
    }
}
