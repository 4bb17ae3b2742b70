package dev.lychgate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.extension.ContributedFilter;
import dev.lychgate.extension.ContributedStore;
import dev.lychgate.extension.Extension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table of settings on the page of an extension, as its keys state them. With {@code -Dlychgate.generate=true}, the table is
 * written instead of compared.
 */
public final class ExtensionTable {
    private static final String HEAD = "| Key | Type, unit | Default | Meaning |\n| --- | --- | --- | --- |\n";

    private ExtensionTable() {}

    /**
     * Requires that a page contains the table of an extension.
     *
     * @param page the file name in {@code docs}
     * @param name the name of the extension in the configuration
     */
    public static void requireOn(String page, String name, Extension<?, ?> extension) throws IOException {
        Path file = Path.of("../../docs", page);
        StringBuilder table = new StringBuilder(HEAD);
        add(table, "extensions." + name, extension.keys());
        for (ContributedStore<?> each : extension.stores()) {
            add(table, "fleet.store." + each.name(), each.keys());
        }
        for (ContributedFilter<?, ?> each : extension.filters()) {
            add(table, each.name(), each.keys());
        }
        for (ContributedAuthenticator<?, ?> each : extension.authenticators()) {
            add(table, each.name(), each.keys());
        }
        for (ContributedFilter<?, ?> each : extension.authorizers()) {
            add(table, each.name(), each.keys());
        }
        String before = Files.readString(file);
        assertThat(before).contains(HEAD);
        String expected = Pattern.compile(Pattern.quote(HEAD) + "(?:\\|.*\\n)*")
                .matcher(before)
                .replaceAll(Matcher.quoteReplacement(table.toString()));
        if (Boolean.getBoolean("lychgate.generate")) {
            Files.writeString(file, expected);
        }
        assertThat(Files.readString(file)).isEqualTo(expected);
    }

    private static void add(StringBuilder table, String section, Keys<?> keys) {
        keys.keys().forEach(key -> table.append(row(section, key)));
    }

    private static <T> String row(String section, Key<T> key) {
        String range = key.form().expected();
        return "| `" + section + "." + key.name() + "` | " + key.form().words() + " | " + otherwise(key) + " | "
                + key.about() + (range == null ? "" : "; " + range) + " |\n";
    }

    private static <T> String otherwise(Key<T> key) {
        if (key.requires() != null) {
            return "**required**";
        }
        String absence = key.absence();
        if (absence != null) {
            return absence;
        }
        Object value = key.otherwise();
        boolean empty = value instanceof Map<?, ?> || (value instanceof Collection<?> list && list.isEmpty());
        return empty ? "empty" : "`" + key.form().print().apply(key.otherwise()) + "`";
    }
}
