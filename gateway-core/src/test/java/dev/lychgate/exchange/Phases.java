package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.exchange.state.Timeline;
import dev.lychgate.exchange.state.TimelinePhase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The time of a finished exchange: the ticks of each phase, on a loop with virtual time; and for each filter that ran its
 * stage, its result and its duration.
 */
record Phases(Map<TimelinePhase, Long> ticks, long total, long delay, List<String> filters) {
    static final Phases NONE = new Phases(Map.of(), 0, 0, List.of());

    private static final long TICK = 100_000_000;

    static Phases of(Timeline timeline) {
        Map<TimelinePhase, Long> ticks = new EnumMap<>(TimelinePhase.class);
        for (TimelinePhase phase : TimelinePhase.all()) {
            long nanos = timeline.in(phase);
            assertThat(nanos).as(phase.label()).isGreaterThanOrEqualTo(-1);
            if (nanos >= 0) {
                ticks.put(phase, nanos / TICK);
            }
        }
        List<String> filters = new ArrayList<>();
        timeline.filters((slot, stage, from, to, outcome) -> filters.add(stage + ":" + slot.name() + ":"
                + (outcome == null
                        ? "given-up"
                        : outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT)) + ":"
                + (to - from) / TICK));
        return new Phases(ticks, timeline.total() / TICK, timeline.delay() / TICK, filters);
    }

    /** All phases together, except for parts of other phases. */
    long sum() {
        return ticks.values().stream().mapToLong(Long::longValue).sum() - ticks.getOrDefault(TimelinePhase.CONNECT, 0L);
    }

    /** All phases in which the client waits for its response. */
    long waited() {
        return sum() - ticks.getOrDefault(TimelinePhase.UPLOAD, 0L) - ticks.getOrDefault(TimelinePhase.BODY, 0L);
    }

    /** In words. */
    @Override
    public String toString() {
        return ticks.entrySet().stream()
                .map(phase -> phase.getKey().label() + " " + phase.getValue())
                .collect(Collectors.joining(" "));
    }
}
