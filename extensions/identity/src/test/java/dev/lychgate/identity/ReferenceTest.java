package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Key;
import dev.lychgate.extension.ContributedAuthenticator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of docs/identity.md is what the keys say. With {@code -Dlychgate.generate=true} it is written instead of compared. */
class ReferenceTest {
    private static final String HEAD = "| Key | Type, unit | Default | Meaning |\n| --- | --- | --- | --- |\n";

    @Test
    void theTableIsWhatTheKeysSay() throws Exception {
        Path page = Path.of("../../docs/identity.md");
        IdentityExtension identity = new IdentityExtension();
        StringBuilder table = new StringBuilder(HEAD);
        identity.keys().keys().forEach(key -> table.append(row("extensions.identity.", key)));
        for (ContributedAuthenticator<?, ?> each : identity.authenticators()) {
            each.keys().keys().forEach(key -> table.append(row(each.name() + ".", key)));
        }
        String before = Files.readString(page);
        String expected = Pattern.compile(Pattern.quote(HEAD) + "(?:\\|.*\\n)*")
                .matcher(before)
                .replaceAll(Matcher.quoteReplacement(table.toString()));
        if (Boolean.getBoolean("lychgate.generate")) {
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page)).isEqualTo(expected);
    }

    private static <T> String row(String prefix, Key<T> key) {
        String range = key.form().expected();
        return "| `" + prefix + key.name() + "` | " + key.form().words() + " | " + otherwise(key) + " | " + key.about()
                + (range == null ? "" : "; " + range) + " |\n";
    }

    private static <T> String otherwise(Key<T> key) {
        Object value = key.otherwise();
        boolean empty = value instanceof Map<?, ?> || (value instanceof Collection<?> list && list.isEmpty());
        if (key.requires() != null) {
            return "**required**";
        }
        if (key.absence() != null) {
            return key.absence();
        }
        return empty ? "empty" : "`" + key.form().print().apply(key.otherwise()) + "`";
    }
}
