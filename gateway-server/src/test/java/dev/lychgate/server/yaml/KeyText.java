package dev.lychgate.server.yaml;

import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The words of a declared key, for the schema and the reference page. */
final class KeyText {
    private KeyText() {}

    /** Returns the meaning with its range: Markdown, without capital and full stop. */
    static String meaning(Key<?> key) {
        String range = range(key.form());
        String restart = key.needsRestart() ? "; a restart is needed to change it" : "";
        String since = key.release() == null ? "" : "; since " + key.release();
        return key.about() + (range == null ? "" : "; " + range) + restart + since;
    }

    /** Returns the meaning as one sentence of plain text. */
    static String sentence(String markdown) {
        String plain = markdown.replaceAll("\\[([^\\]]+)\\]\\([^)]*\\)", "$1").replace("`", "");
        return Character.toUpperCase(plain.charAt(0)) + plain.substring(1) + ".";
    }

    private static @Nullable String range(Form<?> form) {
        String expected = form.expected();
        if (expected == null || expected.startsWith("> 0") || expected.startsWith(">= 0")) {
            return null;
        }
        if (form.kind() == Form.Kind.LIST) {
            return expected.startsWith(">=") ? null : expected + " items";
        }
        return expected.replace(">= ", "at least ");
    }

    /** Returns the default as written in a file; null if there is none. */
    static @Nullable String written(Key<?> key) {
        String absence = key.absence();
        if (key.requires() != null || absence != null) {
            return absence != null && absence.matches("`[^`]+`") ? absence.replace("`", "") : null;
        }
        Object otherwise = key.otherwise();
        boolean empty = (otherwise instanceof Collection<?> items && items.isEmpty()) || otherwise instanceof Map<?, ?>;
        return otherwise == null || empty || key.form().kind() == Form.Kind.SECTION ? null : print(key);
    }

    private static <T> String print(Key<T> key) {
        String text = key.form().print().apply(key.otherwise());
        return text.equals("0%") ? "0" : text;
    }
}
