package dev.lychgate.server.terminal;

import static dev.lychgate.server.terminal.Printable.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Renders the results of an operator's changes as lines for a terminal. Each method takes a response of the admin
 * listener.
 */
public final class ChangeText {
    private ChangeText() {}

    /**
     * Shows the running generation, then the generations to which a rollback is possible.
     *
     * @param page the response of {@code /generations}
     */
    public static List<String> generations(JsonValue page) {
        List<String> lines = new ArrayList<>();
        for (JsonValue one : page.list("kept")) {
            String generation = "generation " + figure(one.number("number"), 0);
            String state = one.is("running") ? " has been in force since " : " is kept, from ";
            lines.add(generation + state + one.text("since") + ": " + one.text("why"));
        }
        JsonValue rollout = page.get("rollout");
        if (rollout.has("share")) {
            lines.add("generation " + figure(rollout.number("candidate"), 0) + " is a candidate with "
                    + rollout.text("share") + " of the exchanges: " + rollout.text("why"));
        } else if (rollout.text("state").equals("aborted")) {
            lines.add(rollout.text("reason"));
        }
        JsonValue refused = page.get("refused");
        if (refused.has("when")) {
            lines.add("the files were refused at " + refused.text("when"));
        }
        return lines;
    }

    /**
     * Shows the process that has taken over.
     *
     * @param page the response of {@code POST /upgrade}
     */
    public static List<String> upgrade(JsonValue page) {
        return List.of("process " + figure(page.number("process"), 0) + " serves after "
                + figure(page.number("millis"), 0) + " ms; the old process drains");
    }

    /**
     * Shows state, health, weight and share of an endpoint.
     *
     * @param endpoint the response of {@code POST /upstreams/endpoint}
     */
    public static List<String> endpoint(JsonValue endpoint) {
        String ejected = endpoint.is("ejected") ? ", ejected" : "";
        return List.of("endpoint " + endpoint.text("endpoint") + " of " + endpoint.text("upstream") + ": "
                + endpoint.text("admin") + ", " + endpoint.text("health") + ejected
                + ", weight " + figure(endpoint.number("weight"), 0)
                + ", share " + figure(100 * endpoint.number("share"), 1) + " %");
    }

    /**
     * Shows the state of a circuit breaker, and whether it is forced.
     *
     * @param breaker the response of {@code POST /breakers}
     */
    public static List<String> breaker(JsonValue breaker) {
        String of = breaker.text("upstream") + (breaker.has("endpoint") ? " " + breaker.text("endpoint") : "");
        return List.of("breaker of " + of + ": " + breaker.text("position") + " (" + breaker.text("state") + "), "
                + figure(breaker.number("failures"), 0) + " of " + figure(breaker.number("attempts"), 0)
                + " attempts failed");
    }

    /**
     * Shows whether each filter runs.
     *
     * @param page the response of {@code POST /filters}
     */
    public static List<String> filters(JsonValue page) {
        return page.list("filters").stream()
                .map(filter -> "filter " + filter.text("phase") + " " + filter.text("name") + " ("
                        + filter.text("source") + "): "
                        + (filter.is("disabled") ? "disabled" : filter.is("ejected") ? "ejected" : "enabled")
                        + routes(filter, "disabled_on", ", disabled on ")
                        + routes(filter, "enabled_on", ", enabled on "))
                .toList();
    }

    private static String routes(JsonValue filter, String field, String before) {
        return filter.has(field)
                ? before
                        + filter.list(field).stream()
                                .map(route -> Printable.escaped(route.raw()))
                                .collect(Collectors.joining(", "))
                : "";
    }

    /**
     * Shows the levels of loggers.
     *
     * @param page the response of {@code POST /log}
     */
    public static List<String> loggers(JsonValue page) {
        return page.list("loggers").stream().map(ChangeText::logger).toList();
    }

    private static String logger(JsonValue logger) {
        String line = "logger " + logger.text("logger") + ": " + logger.text("effective");
        if (!logger.has("level")) {
            line += " (inherited)";
        }
        if (logger.has("until")) {
            line += " until " + logger.text("until");
        }
        return logger.has("afterwards") ? line + ", then " + logger.text("afterwards") : line;
    }
}
