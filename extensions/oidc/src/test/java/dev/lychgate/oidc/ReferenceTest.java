package dev.lychgate.oidc;

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

/** The table of docs/oidc.md is what the keys say. With {@code -Dlychgate.generate=true} it is written instead of compared. */
class ReferenceTest {
    private static final String HEAD = "| Key | Type, unit | Default | Meaning |\n| --- | --- | --- | --- |\n";

    @Test
    void theTableIsWhatTheKeysSay() throws Exception {
        Path page = Path.of("../../docs/oidc.md");
        OidcExtension oidc = new OidcExtension();
        StringBuilder table = new StringBuilder(HEAD);
        oidc.keys().keys().forEach(key -> table.append(row("extensions.oidc.", key)));
        for (ContributedAuthenticator<?, ?> kind : oidc.authenticators()) {
            kind.keys().keys().forEach(key -> table.append(row(kind.name() + ".", key)));
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
        if (key.requires() != null) {
            return "**required**";
        }
        String absence = key.absence();
        if (absence != null) {
            return absence;
        }
        boolean empty = value instanceof Map<?, ?> || (value instanceof Collection<?> list && list.isEmpty());
        return empty ? "empty" : "`" + key.form().print().apply(key.otherwise()) + "`";
    }
}
