package dev.lychgate.server.terminal;

import dev.lychgate.server.terminal.Waterfall.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The phases, filters, call-outs and attempts of a recorded exchange, in chronological order. */
final class Spans {
    /** Tolerance in milliseconds for sums of phases. Each phase is rounded to a microsecond. */
    private static final double ROUNDING_MS = 0.01;

    private static final double SHORTEST_MS = 0.001;

    private static final int PHASE = 0;
    private static final int PART_OF_PHASE = 1;
    private static final int ATTEMPT = 2;
    private static final int FILTER = 3;
    private static final int CALL = 4;
    private static final int ATTEMPT_OF_CALL = 5;

    private final JsonValue story;
    private final List<Span> spans = new ArrayList<>();

    private Spans(JsonValue story) {
        this.story = story;
    }

    /** @param story the response of {@code /exchanges/one} */
    static List<Span> of(JsonValue story) {
        Spans all = new Spans(story);
        all.phases();
        all.attempts(story, "  attempt ", ATTEMPT);
        all.calls();
        all.filters();
        all.spans.sort(Comparator.comparingDouble(Span::start).thenComparingInt(Span::rank));
        return all.spans;
    }

    private void phases() {
        double now = 0;
        for (Map.Entry<String, JsonValue> phase : story.get("phases").fields().entrySet()) {
            String name = Printable.escaped(phase.getKey());
            double length = phase.getValue().number();
            if (name.equals("connect")) {
                // The connect is drawn within the previous phase, because that phase consists of the wait for the pool,
                // followed by the connect.
                spans.add(new Span("  connect", PART_OF_PHASE, Math.max(0, now - length), length, "", List.of()));
                continue;
            }
            double start = moment(now);
            spans.add(new Span(name, PHASE, start, length, "", List.of()));
            now = start + length;
        }
    }

    /**
     * Returns the start of an attempt or the time of its response, whichever equals {@code sum} within the tolerance;
     * {@code sum} if no such time does. If {@code sum} were always used, rounding could make a phase start after its
     * parts.
     */
    private double moment(double sum) {
        for (JsonValue attempt : story.list("attempts")) {
            for (String name : List.of("at", "answered_at")) {
                if (attempt.has(name) && Math.abs(attempt.number(name) - sum) < ROUNDING_MS) {
                    return attempt.number(name);
                }
            }
        }
        return sum;
    }

    private void filters() {
        for (JsonValue filter : story.list("filters")) {
            spans.add(new Span(
                    "  " + filter.text("filter"),
                    FILTER,
                    filter.number("at"),
                    filter.number("ms"),
                    filter.text("outcome"),
                    List.of()));
        }
    }

    private void calls() {
        for (JsonValue call : story.list("calls")) {
            spans.add(new Span(
                    "    call " + call.text("upstream"),
                    CALL,
                    call.number("at"),
                    call.number("ms"),
                    call.has("failure") ? call.text("failure") : "status " + Math.round(call.number("status")),
                    List.of(call.text("method") + " " + call.text("path"))));
            attempts(call, "      attempt ", ATTEMPT_OF_CALL);
        }
    }

    private void attempts(JsonValue of, String label, int rank) {
        int number = 0;
        for (JsonValue attempt : of.list("attempts")) {
            String again = attempt.text("again");
            number++;
            spans.add(new Span(
                    label + number,
                    rank,
                    attempt.number("at"),
                    attempt.number("ms"),
                    again,
                    List.of(whatCameOf(attempt))));
        }
    }

    private static String whatCameOf(JsonValue attempt) {
        List<String> words = new ArrayList<>();
        words.add(attempt.text("upstream") + " " + attempt.text("endpoint"));
        words.add(connection(attempt));
        if (attempt.has("status")) {
            words.add("status " + Math.round(attempt.number("status")) + " at "
                    + Printable.figure(attempt.number("answered_at"), 3) + " ms");
        }
        if (attempt.has("failure")) {
            words.add(attempt.text("failure"));
        }
        return String.join(", ", words);
    }

    private static String connection(JsonValue attempt) {
        if (!attempt.has("reused")) {
            return "no connection";
        }
        String which = attempt.is("reused") ? "reused connection" : "new connection";
        double after = attempt.number("connection_ms");
        return after < SHORTEST_MS ? which : which + " after " + Printable.figure(after, 3) + " ms";
    }
}
