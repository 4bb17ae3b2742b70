package dev.lychgate.server.discovery;

import dev.lychgate.config.BindAddress;
import dev.lychgate.config.EndpointReadiness;
import dev.lychgate.server.terminal.JsonValue;
import dev.lychgate.upstream.FoundEndpoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The target groups of Prometheus. The labels of a group are the metadata of its endpoints. The labels {@code weight},
 * {@code zone}, {@code priority} and {@code state} also have the meaning of their names. Labels that begin with {@code __} are
 * omitted.
 *
 * @see <a href="https://prometheus.io/docs/prometheus/latest/configuration/configuration/#file_sd_config">file_sd_config</a>
 */
final class TargetGroups {
    private TargetGroups() {}

    /** Throws IllegalArgumentException if a group or a target is malformed; the message names it. */
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
        int colon = target.lastIndexOf(':');
        try {
            BindAddress address = BindAddress.parse(target);
            return FoundEndpoint.of(
                    address.host(),
                    address.port(),
                    number(labels, "weight", 1),
                    labels.getOrDefault("zone", ""),
                    number(labels, "priority", 0),
                    readiness(labels.getOrDefault("state", "ready")),
                    labels);
        } catch (IllegalArgumentException e) {
            String expected = colon < 0 ? "HOST:PORT" : String.valueOf(e.getMessage());
            throw new IllegalArgumentException("target \"" + target + "\" (expected: " + expected + ")", e);
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
