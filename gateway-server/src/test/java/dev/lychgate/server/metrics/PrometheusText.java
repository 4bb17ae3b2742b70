package dev.lychgate.server.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses Prometheus' text format 0.0.4 strictly: every sample belongs to the family declared above it, a family is declared
 * once, and no sample is duplicate.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Prometheus: exposition formats</a>
 */
public final class PrometheusText {
    private static final Pattern HELP = Pattern.compile("# HELP ([a-z_0-9]+) (\\S.*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE ([a-z_0-9]+) (counter|gauge|histogram|summary)");
    private static final Pattern SAMPLE =
            Pattern.compile("([a-z_0-9]+)(?:\\{(.*)})? (NaN|[+-]Inf|-?[0-9.]+(?:E-?[0-9]+)?)");
    private static final Pattern LABEL = Pattern.compile("([a-z_0-9]+)=\"((?:[^\"\\\\\n]|\\\\[\"\\\\n])*)\"(,|$)");

    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, Set<String>> labelNames = new LinkedHashMap<>();
    private final Map<String, Double> samples = new LinkedHashMap<>();

    private PrometheusText() {}

    public static PrometheusText read(String text) {
        if (!text.endsWith("\n")) {
            throw new AssertionError("the last line has no end");
        }
        PrometheusText read = new PrometheusText();
        String family = "";
        String helped = "";
        for (String line : text.split("\n", -1)) {
            Matcher help = HELP.matcher(line);
            Matcher type = TYPE.matcher(line);
            if (help.matches()) {
                helped = help.group(1);
            } else if (type.matches()) {
                family = type.group(1);
                if (!helped.equals(family) || read.types.put(family, type.group(2)) != null) {
                    throw new AssertionError(family + " is announced twice, or without help");
                }
            } else if (!line.isEmpty()) {
                read.sample(family, line);
            }
        }
        return read;
    }

    private void sample(String family, String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            throw new AssertionError("not a line of this format: " + line);
        }
        String name = sample.group(1);
        String parts = switch (types.getOrDefault(family, "")) {
            case "histogram" -> "_(bucket|count|sum)";
            case "summary" -> "_(count|sum)";
            default -> "";
        };
        boolean own = name.matches(family + parts);
        if (!own || types.get(family) == null) {
            throw new AssertionError(name + " stands under " + family);
        }
        String labels = sample.group(2);
        Map<String, String> read = labels(labels == null ? "" : labels);
        String key = name + read;
        Set<String> names = new TreeSet<>(read.keySet());
        names.remove("le");
        if (!names.equals(labelNames.computeIfAbsent(family, f -> names))) {
            throw new AssertionError(key + " has other labels than the samples above it");
        }
        if (samples.put(key, Double.valueOf(sample.group(3).replace("Inf", "Infinity"))) != null) {
            throw new AssertionError(key + " stands there twice");
        }
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!label.find(at) || label.start() != at || labels.put(label.group(1), label.group(2)) != null) {
                throw new AssertionError("not labels: " + text);
            }
            at = label.end();
        }
        return labels;
    }

    /**
     * Returns the value of one sample; NaN if it is absent.
     *
     * @param labels names and values in turn
     */
    public double value(String name, String... labels) {
        Map<String, String> wanted = new TreeMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            wanted.put(labels[i], labels[i + 1]);
        }
        return samples.getOrDefault(name + wanted, Double.NaN);
    }

    /** Whether any sample of this name has a label with this value. */
    public boolean has(String name, String label, String value) {
        return samples.keySet().stream()
                .anyMatch(key -> key.startsWith(name + "{") && key.contains(label + "=" + value));
    }

    /** Every family announced, with its type. */
    public Map<String, String> types() {
        return types;
    }

    /** Returns the names of a family's labels, except {@code le}; the same for all its samples. */
    public Set<String> labelsOf(String family) {
        return labelNames.getOrDefault(family, Set.of("no such family"));
    }
}
