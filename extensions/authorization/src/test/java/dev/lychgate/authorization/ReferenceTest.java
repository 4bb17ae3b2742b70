package dev.lychgate.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Key;
import dev.lychgate.extension.ContributedFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of docs/authorization.md is what the keys say. With {@code -Dlychgate.generate=true} it is written instead of compared. */
class ReferenceTest {
    private static final String HEAD = "| Key | Type, unit | Default | Meaning |\n| --- | --- | --- | --- |\n";

    @Test
    void theTableIsWhatTheKeysSay() throws Exception {
        Path page = Path.of("../../docs/authorization.md");
        Authorization authorization = new Authorization();
        StringBuilder table = new StringBuilder(HEAD);
        authorization.keys().keys().forEach(key -> table.append(row("extensions.authorization.", key)));
        for (ContributedFilter<?, ?> authorizer : authorization.authorizers()) {
            authorizer.keys().keys().forEach(key -> table.append(row(authorizer.name() + ".", key)));
        }
        String before = Files.readString(page);
        String expected = Pattern.compile(Pattern.quote(HEAD) + "(?:\\|.*\\n)*")
                .matcher(before)
                .replaceAll(Matcher.quoteReplacement(table.toString()));
        if (Boolean.getBoolean("lychgate.generate")) {
            Files.writeString(page, expected);
        }
        assertThat(before).contains(HEAD);
        assertThat(Files.readString(page)).isEqualTo(expected);
    }

    private static <T> String row(String prefix, Key<T> key) {
        String range = key.form().expected();
        return "| `" + prefix + key.name() + "` | " + key.form().words() + " | " + otherwise(key) + " | " + key.about()
                + (range == null ? "" : "; " + range) + " |\n";
    }

    private static <T> String otherwise(Key<T> key) {
        Object value = key.otherwise();
        String absence = key.absence();
        boolean empty = value instanceof Map<?, ?> || (value instanceof Collection<?> list && list.isEmpty());
        if (key.requires() != null) {
            return "**required**";
        }
        if (absence != null) {
            return absence;
        }
        return empty ? "empty" : "`" + key.form().print().apply(key.otherwise()) + "`";
    }
}
