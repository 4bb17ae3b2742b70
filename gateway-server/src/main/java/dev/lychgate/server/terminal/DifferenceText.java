package dev.lychgate.server.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * Renders the differences between generations or files as lines for a terminal. The admin listener has already removed
 * secrets.
 */
public final class DifferenceText {
    private DifferenceText() {}

    /**
     * Renders the verdict of a dry run that accepted the files.
     *
     * @param dryRun the member {@code dry_run} of the response to {@code POST /reload}
     */
    public static List<String> verdict(JsonValue dryRun) {
        JsonValue difference = dryRun.get("difference");
        List<String> lines = new ArrayList<>();
        dryRun.list("warnings").forEach(warning -> lines.add("warning: " + Printable.escaped(warning.raw())));
        if (difference.is("differs")) {
            lines.addAll(lines(difference));
            lines.add("a reload would accept these files");
        } else {
            lines.add("a reload would keep generation " + figure(difference, "from") + ": the files are unchanged");
        }
        return lines;
    }

    /**
     * Renders changed parts of the configuration, their values, and changed lines of files.
     *
     * @param page the response of {@code /generations/diff}
     */
    public static List<String> lines(JsonValue page) {
        List<String> lines = new ArrayList<>();
        if (!page.is("differs")) {
            return lines;
        }
        lines.add("--- generation " + figure(page, "from"));
        lines.add("+++ " + (page.has("to") ? "generation " + figure(page, "to") : "the files"));
        for (JsonValue part : page.list("parts")) {
            lines.add(part.text("kind") + " " + part.text("name") + ": " + part.text("change"));
        }
        int before = lines.size();
        page.list("config").forEach(change -> lines.addAll(values(change)));
        cut(page, "config_cut", lines);
        if (page.is("certificates")) {
            lines.add("certificates: changed (files of certificates, keys, tokens or address lists)");
        }
        page.list("secrets").forEach(secret -> lines.add("secret " + Printable.escaped(secret.raw()) + ": changed"));
        page.list("files").forEach(file -> lines.addAll(file(file)));
        if (before == lines.size() && page.list("parts").isEmpty()) {
            lines.add("files that settings name: changed");
        }
        return lines;
    }

    private static List<String> values(JsonValue change) {
        List<String> lines = new ArrayList<>();
        String key = change.text("key") + ": ";
        if (change.has("from")) {
            lines.add("  -" + key + change.text("from"));
        }
        if (change.has("to")) {
            lines.add("  +" + key + change.text("to"));
        }
        return lines;
    }

    private static List<String> file(JsonValue file) {
        List<String> lines = new ArrayList<>();
        lines.add("file " + file.text("path") + ": " + file.text("change"));
        file.list("lines").forEach(line -> lines.add("  " + Printable.escaped(line.raw())));
        cut(file, "lines_cut", lines);
        return lines;
    }

    private static void cut(JsonValue of, String flag, List<String> lines) {
        if (of.is(flag)) {
            lines.add("  ... and more");
        }
    }

    private static String figure(JsonValue of, String member) {
        return Printable.figure(of.number(member), 0);
    }
}
