package dev.lychgate.server.yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A row of the tables of docs/configuration.md, and the values that it names. */
record DocumentedRow(String key, String type, String otherwise, String meaning) {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|(.*)\\|(.*)\\|(.*)\\|$");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern AMOUNT = Pattern.compile("(\\d+)(?:\\.\\d+)?(ms|s|m|h|B|KiB|MiB|GiB|%|)");
    private static final String RANGED = "(\\d+(?:ms|s|m|h|B|KiB|MiB|GiB|%|)\\b%?)";
    private static final Pattern FROM_TO = Pattern.compile("\\b" + RANGED + " to " + RANGED);
    private static final Pattern AT_LEAST = Pattern.compile("; at least " + RANGED);
    private static final Pattern AT_MOST = Pattern.compile("at most " + RANGED + "$");
    private static final Map<String, Long> UNITS = Map.of(
            "",
            1L,
            "%",
            1L,
            "B",
            1L,
            "KiB",
            1L << 10,
            "MiB",
            1L << 20,
            "GiB",
            1L << 30,
            "ms",
            1L,
            "s",
            1000L,
            "m",
            60_000L,
            "h",
            3_600_000L);

    /** Negative = not stated. */
    private record Range(long lowest, long highest) {
        boolean contains(long amount) {
            return amount >= lowest && (highest < 0 || amount <= highest);
        }
    }

    static List<DocumentedRow> all() throws IOException {
        List<DocumentedRow> rows = new ArrayList<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("../docs/configuration.md")));
        while (row.find()) {
            rows.add(new DocumentedRow(
                    row.group(1),
                    row.group(2).strip(),
                    row.group(3).strip(),
                    row.group(4).strip()));
        }
        return rows;
    }

    boolean isSection() {
        return type.equals("section");
    }

    /** Returns the words of an enumeration, each as a list if the type is a list. */
    List<Object> words() {
        List<String> words =
                quoted(type).stream().filter(word -> !word.contains(":")).toList();
        if (!type.startsWith("list of")) {
            return words.stream()
                    .map(word -> word.equals("true") || word.equals("false") ? (Object) Boolean.valueOf(word) : word)
                    .toList();
        }
        List<Object> lists = new ArrayList<>();
        words.forEach(word -> lists.add(List.of(word)));
        if (!words.isEmpty()) {
            lists.add(words);
        }
        return lists;
    }

    /** Returns values with each unit, and the bounds, as far as the row allows them; none if the type is not an amount. */
    List<Object> amounts() {
        List<String> candidates = candidates();
        if (candidates.isEmpty()) {
            return List.of();
        }
        List<Object> amounts = new ArrayList<>();
        Range range = range();
        for (String candidate : candidates) {
            if (range.contains(amount(candidate))) {
                amounts.add(written(candidate));
            }
        }
        if (range.lowest() >= 0) {
            amounts.add(written(range.lowest()));
        }
        if (range.highest() >= 0) {
            amounts.add(written(range.highest()));
        }
        if (permitsZero()) {
            amounts.add(0);
        }
        return amounts.stream().distinct().toList();
    }

    /** Returns whether 0 has a special meaning. */
    private boolean permitsZero() {
        return meaning.contains("`0` =") || meaning.contains("; 0 =") || otherwise.equals("`0`");
    }

    /** Returns the amounts just outside the bounds. */
    List<Object> outside() {
        Range range = range();
        List<Object> outside = new ArrayList<>();
        if (candidates().isEmpty()) {
            return outside;
        }
        if (range.lowest() > 1 || (range.lowest() == 1 && !permitsZero())) {
            outside.add(written(range.lowest() - 1));
        }
        if (range.highest() > 0) {
            outside.add(written(range.highest() + 1));
        }
        return outside;
    }

    private List<String> candidates() {
        return switch (type.replaceFirst(",.*", "").replaceFirst(".* or ", "")) {
            case "duration" -> List.of("250ms", "7s", "3m", "2h");
            case "size" -> List.of("700B", "40KiB", "2MiB", "900MiB");
            case "percent" -> List.of("5%", "55%", "99%");
            case "rate" -> List.of("0.0001%", "0.01%", "5%", "99%");
            case "whole number", "number" -> List.of("1", "3", "77");
            default -> List.of();
        };
    }

    private Range range() {
        Matcher both = FROM_TO.matcher(meaning);
        if (both.find()) {
            return new Range(amount(both.group(1)), amount(both.group(2)));
        }
        if (type.equals("rate")) {
            return new Range(0, 100);
        }
        Matcher least = AT_LEAST.matcher(meaning);
        Matcher most = AT_MOST.matcher(meaning);
        return new Range(least.find() ? amount(least.group(1)) : -1, most.find() ? amount(most.group(1)) : -1);
    }

    private static long amount(String text) {
        Matcher amount = AMOUNT.matcher(text);
        if (!amount.matches()) {
            throw new IllegalArgumentException(text);
        }
        return Long.parseLong(amount.group(1)) * UNITS.getOrDefault(amount.group(2), 1L);
    }

    private static Object written(String candidate) {
        return candidate.matches("\\d+") ? (Object) Integer.valueOf(candidate) : candidate;
    }

    private Object written(long amount) {
        if (amount == 0) {
            return 0;
        }
        return switch (type) {
            case "duration" -> amount + "ms";
            case "size" -> amount + "B";
            case "percent", "rate" -> amount + "%";
            default -> (int) amount;
        };
    }

    /** Returns the default as written in a file; empty if the row has no such default. */
    List<Object> defaults() {
        List<String> words = quoted(otherwise);
        if (otherwise.startsWith("**") || words.isEmpty() || otherwise.contains("LYCHGATE")) {
            return switch (otherwise) {
                case "empty" -> List.of(type.startsWith("list") ? List.of() : Map.of());
                case "both" -> List.of(quoted(type));
                default -> List.of();
            };
        }
        String word = words.get(0);
        if (type.startsWith("list of")) {
            return List.of(
                    word.startsWith("[")
                            ? List.of(word.substring(1, word.length() - 1).split(", ", -1))
                            : words);
        }
        if (word.equals("true") || word.equals("false")) {
            return List.of(Boolean.valueOf(word));
        }
        return List.of(written(word));
    }

    private static List<String> quoted(String text) {
        return QUOTED.matcher(text)
                .results()
                .map((MatchResult word) -> word.group(1))
                .toList();
    }
}
