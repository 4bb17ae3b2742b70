package dev.lychgate.server.discovery;

import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads target groups of Prometheus. The labels of a group become the metadata of its endpoints. The labels
 * {@code weight}, {@code zone}, {@code priority} and {@code state} also set the properties that have these names.
 * Labels that begin with {@code __} are omitted.
 *
 * @see <a
 *     href="https://prometheus.io/docs/prometheus/latest/configuration/configuration/#file_sd_config">file_sd_config</a>
 */
final class TargetGroups {
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([^]]*)]|([^:\\[\\]]+)):([0-9]{1,5})");

    private TargetGroups() {}

    /**
     * Returns the endpoints. Throws IllegalArgumentException if a group or a target is malformed; the message states
     * the reason.
     */
    static List<FoundEndpoint> read(JsonValue groups) {
        List<FoundEndpoint> endpoints = new ArrayList<>();
        for (JsonValue group : groups.items()) {
            if (!group.get("targets").isList()) {
                throw new IllegalArgumentException("a group has no list of targets");
            }
            Map<String, String> labels = labels(group.get("labels"));
            group.list("targets").forEach(target -> endpoints.add(endpoint(target.raw(), labels)));
        }
        return endpoints;
    }

    private static Map<String, String> labels(JsonValue json) {
        Map<String, String> labels = new LinkedHashMap<>();
        json.fields().forEach((name, value) -> {
            if (!name.startsWith("__")) {
                labels.put(name, value.scalar());
            }
        });
        return labels;
    }

    private static FoundEndpoint endpoint(String target, Map<String, String> labels) {
        try {
            Matcher address = ADDRESS.matcher(target);
            if (!address.matches()) {
                throw new IllegalArgumentException("HOST:PORT");
            }
            String bracketed = address.group(1);
            return FoundEndpoint.of(
                    bracketed == null ? address.group(2) : bracketed,
                    Integer.parseInt(address.group(3)),
                    number(labels, "weight", 1),
                    labels.getOrDefault("zone", ""),
                    number(labels, "priority", 0),
                    readiness(labels.getOrDefault("state", "ready")),
                    labels);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("target \"" + target + "\" (expected: " + e.getMessage() + ")", e);
        }
    }

    private static double number(Map<String, String> labels, String name, double otherwise) {
        String text = labels.get(name);
        if (text == null) {
            return otherwise;
        }
        if (!text.matches("[0-9]{1,6}")) {
            throw new IllegalArgumentException("a whole number in the label " + name);
        }
        return Integer.parseInt(text);
    }

    private static EndpointReadiness readiness(String state) {
        return switch (state) {
            case "ready" -> EndpointReadiness.READY;
            case "draining" -> EndpointReadiness.DRAINING;
            default -> throw new IllegalArgumentException("ready or draining in the label state");
        };
    }
}
