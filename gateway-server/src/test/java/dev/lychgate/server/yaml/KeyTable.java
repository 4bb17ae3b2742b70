package dev.lychgate.server.yaml;

import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes the tables of docs/configuration.md from the declared keys. */
final class KeyTable {
    private static final String HEAD = "| Key | Type, unit | Default | Meaning |\n| --- | --- | --- | --- |\n";
    private static final Pattern TABLE = Pattern.compile(Pattern.quote(HEAD) + "\\| `([^`]+)`.*\\n(?:\\|.*\\n)*");
    private static final List<String> ROOTS = List.of("listeners[].", "routes[].", "upstreams.*.");

    private final Map<String, Key<?>> keys;

    KeyTable(Map<String, Key<?>> keys) {
        this.keys = keys;
    }

    /** Returns the page with each table replaced. The first row of a table identifies its keys. */
    String rewrite(String page) {
        return TABLE.matcher(page)
                .replaceAll((MatchResult table) -> java.util.regex.Matcher.quoteReplacement(HEAD
                        + keys.entrySet().stream()
                                .filter(key -> root(key.getKey()).equals(root(table.group(1))))
                                .map(key -> row(key.getKey(), key.getValue()))
                                .collect(Collectors.joining())));
    }

    private static String root(String path) {
        return ROOTS.stream().filter(path::startsWith).findFirst().orElse("");
    }

    private String row(String path, Key<?> key) {
        String unit = key.unit() == null ? "" : ", " + key.unit();
        return "| `" + path + "` | " + key.form().words() + unit + " | " + otherwise(path, key) + " | "
                + KeyText.meaning(key) + " |\n";
    }

    private static String otherwise(String path, Key<?> key) {
        if (key.requires() != null) {
            String section = path.contains(".") ? path.substring(0, path.lastIndexOf('.')) : "";
            String last = section.substring(section.lastIndexOf('.') + 1);
            return "**required**"
                    + (last.isEmpty() || last.endsWith("]") || last.equals("*") ? "" : " in `" + last + "`");
        }
        String absence = key.absence();
        if (absence != null) {
            return absence;
        }
        String written = KeyText.written(key);
        if (written != null) {
            return "`" + written + "`";
        }
        if (key.form().kind() == Form.Kind.SECTION && key.otherwise() != null) {
            return "-";
        }
        return key.otherwise() == null ? "none" : "empty";
    }
}
