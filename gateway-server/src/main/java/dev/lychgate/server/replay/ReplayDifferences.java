package dev.lychgate.server.replay;

import dev.lychgate.config.Quantity;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.Recording.Body;
import dev.lychgate.server.recording.Recording.Change;
import dev.lychgate.server.recording.Recording.Field;
import dev.lychgate.server.recording.Recording.Response;
import dev.lychgate.server.recording.Recording.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares a recorded exchange with its replay, except for times. */
final class ReplayDifferences {
    /**
     * Header fields that are not compared: they contain a time, the count of a rate limit, or a length. Masking changes
     * lengths.
     */
    private static final Set<String> IGNORED =
            Set.of("date", "ratelimit", "ratelimit-policy", "content-length", "transfer-encoding");

    private final List<ReplayDifference> found = new ArrayList<>();

    private ReplayDifferences() {}

    /** Returns the differences between an exchange and its replay. The exchange may itself be a replay. */
    static List<ReplayDifference> of(Recording recorded, Recording replayed) {
        ReplayDifferences differences = new ReplayDifferences();
        if (recorded.place().isImported()) {
            return List.of();
        }
        List<Step> before = recorded.steps().stream()
                .filter(step -> !step.isAuthentication())
                .toList();
        differences.steps(before, replayed.steps());
        differences.value("route", recorded.place().route(), replayed.place().route());
        differences.value(
                "upstream", recorded.place().upstream(), replayed.place().upstream());
        if (recorded.error() == null || !recorded.error().side().equals("downstream")) {
            differences.value("error", kind(recorded), kind(replayed));
            differences.response(recorded, replayed);
        }
        return differences.found;
    }

    private static @Nullable String kind(Recording of) {
        return of.error() == null ? null : of.error().kind();
    }

    private void value(String part, @Nullable Object before, @Nullable Object after) {
        value("", part, before, after);
    }

    private void value(String filter, String part, @Nullable Object before, @Nullable Object after) {
        if (!Objects.equals(before, after)) {
            found.add(new ReplayDifference(
                    filter, part, before == null ? null : before.toString(), after == null ? null : after.toString()));
        }
    }

    // ---- filters

    /**
     * Compares the filter runs in their order. If a filter ran on only one side, each following run is still compared
     * with its counterpart on the other side.
     */
    private void steps(List<Step> recorded, List<Step> replayed) {
        int i = 0;
        int j = 0;
        while (i < recorded.size() || j < replayed.size()) {
            Step before = i < recorded.size() ? recorded.get(i) : null;
            Step after = j < replayed.size() ? replayed.get(j) : null;
            if (before != null && after != null && name(before).equals(name(after))) {
                step(before, after);
                i++;
                j++;
            } else if (before != null && !isIn(before, replayed, j)) {
                found.add(new ReplayDifference(name(before), "run", before.outcome(), null));
                i++;
            } else if (after != null) {
                found.add(new ReplayDifference(name(after), "run", null, after.outcome()));
                j++;
            } else {
                i++;
            }
        }
    }

    private static boolean isIn(Step step, List<Step> steps, int from) {
        return steps.subList(from, steps.size()).stream()
                .anyMatch(other -> name(other).equals(name(step)));
    }

    private static String name(Step step) {
        return step.stage() + " " + step.filter();
    }

    private void step(Step before, Step after) {
        value(name(before), "outcome", before.outcome(), after.outcome());
        Set<String> names = new TreeSet<>(before.changes().keySet());
        names.addAll(after.changes().keySet());
        for (String name : names) {
            value(name(before), name, to(before, name), to(after, name));
        }
    }

    private static String to(Step step, String name) {
        Change change = step.changes().get(name);
        return change == null ? "unchanged" : String.valueOf(change.to());
    }

    // ---- the response

    private void response(Recording recorded, Recording replayed) {
        Response before = recorded.response();
        Response after = replayed.response();
        value("status", before == null ? null : before.status(), after == null ? null : after.status());
        if (before == null || after == null) {
            return;
        }
        Map<String, List<String>> were = fields(before.headers());
        Map<String, List<String>> are = fields(after.headers());
        Set<String> names = new TreeSet<>(were.keySet());
        names.addAll(are.keySet());
        names.removeAll(IGNORED);
        for (String name : names) {
            value("header " + name, joined(were, name), joined(are, name));
        }
        boolean comparable = recorded.request().body().isWhole()
                && (recorded.origin() == null || recorded.origin().body().isWhole());
        if (comparable) {
            body(before.body(), after.body());
        }
    }

    private static @Nullable String joined(Map<String, List<String>> fields, String name) {
        List<String> values = fields.get(name);
        return values == null ? null : String.join(", ", values);
    }

    private static Map<String, List<String>> fields(List<Field> headers) {
        Map<String, List<String>> fields = new TreeMap<>();
        for (Field field : headers) {
            fields.computeIfAbsent(field.name().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(field.value());
        }
        return fields;
    }

    private void body(Body before, Body after) {
        if (before.omitted() != null || after.omitted() != null) {
            return;
        }
        int length = before.cut() ? Math.min(before.bytes().length, after.bytes().length) : -1;
        int at = length < 0
                ? Arrays.mismatch(before.bytes(), after.bytes())
                : Arrays.mismatch(before.bytes(), 0, length, after.bytes(), 0, length);
        if (at >= 0) {
            String from = Quantity.of(after.bytes().length, "byte") + ", from byte " + at;
            found.add(new ReplayDifference("", "body", Quantity.of(before.bytes().length, "byte"), from));
        }
    }
}
