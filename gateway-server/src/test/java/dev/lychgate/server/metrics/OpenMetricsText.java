package dev.lychgate.server.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses OpenMetrics 1.0 strictly: one end, no empty line, each family announced once and in one piece, the suffixes of its
 * type, units as suffixes, buckets that add up, exemplars only where they may be and within their bucket.
 *
 * @see <a href="https://prometheus.io/docs/specs/om/open_metrics_spec/">OpenMetrics 1.0</a>
 */
final class OpenMetricsText {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final String NUMBER = "NaN|[+-]Inf|[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?";
    private static final String LABELS = "\\{((?:[^\"{}]|\"(?:[^\"\\\\\n]|\\\\[\"\\\\n])*\")*)}";
    private static final Pattern META = Pattern.compile("# (TYPE|UNIT|HELP) (" + NAME + ") (.*)");
    private static final Pattern TYPES = Pattern.compile("counter|gauge|histogram|summary|info");
    private static final Pattern SAMPLE = Pattern.compile("(" + NAME + ")(?:" + LABELS + ")? (" + NUMBER + ")(?: ("
            + NUMBER + "))?(?: # " + LABELS + " (" + NUMBER + ")(?: ([0-9.]+))?)?");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\"\\\\n])*)\"(,|$)");
    private static final int LONGEST_EXEMPLAR = 128;

    private final Map<String, Map<String, String>> families = new LinkedHashMap<>();
    private final Map<String, Double> samples = new LinkedHashMap<>();
    private final Map<String, Double> lastBucket = new HashMap<>();
    private final List<Exemplar> exemplars = new ArrayList<>();
    private String family = "";
    private boolean hasSamples;

    /** @param sample the name and labels of the sample it belongs to */
    record Exemplar(String sample, Map<String, String> of, Map<String, String> labels, double value, double time) {}

    static OpenMetricsText read(String text) {
        check(text.endsWith("\n# EOF\n"), "the end is missing");
        OpenMetricsText read = new OpenMetricsText();
        String body = text.substring(0, text.length() - "\n# EOF\n".length());
        for (String line : body.split("\n", -1)) {
            Matcher meta = META.matcher(line);
            if (meta.matches()) {
                read.meta(meta.group(2), meta.group(1), meta.group(3));
            } else {
                read.sample(line);
            }
        }
        return read;
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private void meta(String name, String kind, String value) {
        if (!name.equals(family)) {
            check(!families.containsKey(name), name + " is announced twice, or interrupted");
            families.put(name, new HashMap<>());
            family = name;
            hasSamples = false;
        }
        check(!hasSamples, kind + " of " + name + " after its samples");
        check(
                families.computeIfAbsent(name, n -> new HashMap<>()).put(kind, value) == null,
                kind + " of " + name + " twice");
        check(!kind.equals("TYPE") || TYPES.matcher(value).matches(), "type of " + name + ": " + value);
        check(!kind.equals("UNIT") || name.endsWith("_" + value), "unit of " + name + ": " + value);
        check(!kind.equals("HELP") || value.matches("(?:[^\\\\\"]|\\\\[\\\\n\"])*"), "help of " + name + ": " + value);
    }

    private void sample(String line) {
        Matcher sample = SAMPLE.matcher(line);
        check(sample.matches(), "not a line of this format: " + line);
        hasSamples = true;
        String type = families.getOrDefault(family, Map.of()).getOrDefault("TYPE", "unknown");
        String name = sample.group(1);
        String suffix = name.startsWith(family) ? name.substring(family.length()) : "another family's";
        check(suffix.matches(suffixes(type)), name + " stands under " + family + ", a " + type);
        Map<String, String> labels = labels(sample.group(2));
        double value = number(sample.group(3));
        check(samples.put(name + labels, value) == null, name + labels + " stands there twice");
        if (suffix.equals("_bucket")) {
            bucket(name, labels, value);
        } else if (suffix.equals("_count") && type.equals("histogram")) {
            check(value == lastBucket.getOrDefault(family + labels, -1.0), name + labels + " is not its last bucket");
        }
        if (sample.group(5) != null || line.contains(" # ")) {
            boolean mayHave = suffix.equals("_bucket") || suffix.equals("_total");
            check(mayHave && sample.group(5) != null, "an exemplar of " + name);
            exemplar(name, labels, sample);
        }
    }

    private static String suffixes(String type) {
        return switch (type) {
            case "counter" -> "_total|_created";
            case "histogram" -> "_bucket|_count|_sum|_created";
            case "summary" -> "|_count|_sum|_created";
            case "info" -> "_info";
            default -> "";
        };
    }

    private void bucket(String name, Map<String, String> labels, double value) {
        Map<String, String> rest = new TreeMap<>(labels);
        String bound = rest.remove("le");
        check(bound != null && (bound.equals("+Inf") || bound.contains(".")), name + " has the bound " + bound);
        Double before = lastBucket.put(family + rest, value);
        check(before == null || before <= value, name + labels + " is less than the bucket before");
    }

    private void exemplar(String name, Map<String, String> of, Matcher sample) {
        Map<String, String> labels = labels(sample.group(5));
        int length = labels.entrySet().stream()
                .mapToInt(label -> label.getKey().length() + label.getValue().length())
                .sum();
        check(length <= LONGEST_EXEMPLAR, "an exemplar of " + length + " characters");
        double value = number(sample.group(6));
        check(!of.containsKey("le") || value <= number(of.get("le")), "an exemplar above its bucket: " + of);
        exemplars.add(new Exemplar(name, of, labels, value, number(sample.group(7))));
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        if (text != null) {
            Matcher label = LABEL.matcher(text);
            int at = 0;
            while (at < text.length()) {
                boolean one = label.find(at) && label.start() == at;
                check(one && labels.put(label.group(1), label.group(2)) == null, "not labels: " + text);
                at = label.end();
            }
        }
        return labels;
    }

    private static double number(String text) {
        return text == null ? Double.NaN : Double.parseDouble(text.replace("Inf", "Infinity"));
    }

    /** Every family announced, with its type. */
    Map<String, String> types() {
        Map<String, String> types = new TreeMap<>();
        families.forEach((name, meta) -> types.put(name, meta.getOrDefault("TYPE", "unknown")));
        return types;
    }

    List<Exemplar> exemplars() {
        return exemplars;
    }

    /** Returns the value of one sample; NaN if it is absent. */
    double value(String name, Map<String, String> labels) {
        return samples.getOrDefault(name + new TreeMap<>(labels), Double.NaN);
    }
}
