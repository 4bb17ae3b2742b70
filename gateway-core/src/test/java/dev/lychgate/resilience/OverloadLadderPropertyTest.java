package dev.lychgate.resilience;

import static dev.lychgate.resilience.Simulation.MS;
import static dev.lychgate.resilience.Simulation.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.resilience.OverloadLadder.Position;
import dev.lychgate.resilience.OverloadLadder.Rung;
import dev.lychgate.resilience.OverloadLadder.Times;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of ladders with random settings under random loads. A seed names one of a thousand ladders. */
class OverloadLadderPropertyTest {
    private static final long LONGEST_PAUSE = SECOND;
    private static final long SAMPLE = 50 * MS;
    /** The accuracy with which a ladder keeps the time of the latest shed request. */
    private static final long TICK = 10 * MS;

    private final OverloadLadder ladder = new OverloadLadder();
    private final Map<Rung, Integer> reached = new EnumMap<>(Rung.class);
    private Times times = new Times(0, 0, 0, 0);
    private List<Rung> rungs = List.of();
    private long now;
    private Position last = new Position(Rung.NORMAL, 0, null);
    /** The beginning of the continuous shedding, and the latest shed request; 0 before the first one. */
    private long began;

    private long latestShed;
    private String context = "";

    private void begin(SplittableRandom random) {
        long brownout = random.nextLong(100, 3000) * MS;
        long stale = random.nextBoolean() ? brownout + random.nextLong(3000) * MS : Long.MAX_VALUE;
        long least = stale == Long.MAX_VALUE ? brownout : stale;
        long page = random.nextBoolean() ? least + random.nextLong(3000) * MS : Long.MAX_VALUE;
        times = new Times(brownout, stale, page, random.nextLong(1000, 4000) * MS);
        rungs = Stream.of(Rung.values()).filter(times::has).toList();
        now = random.nextLong(1, 1000) * SECOND;
        context = times.toString();
    }

    /** Lets time pass without a request. The rung is sampled more often than it can change. */
    private void pass(long time) {
        for (long end = now + time; now < end; now += Math.min(SAMPLE, end - now)) {
            descend();
        }
        descend();
    }

    private void descend() {
        Position next = ladder.position(now, times);
        int steps = rungs.indexOf(last.rung()) - rungs.indexOf(next.rung());
        if (steps != 0) {
            boolean pastLimit = last.rung() == Rung.SHED && next.rung() == Rung.NORMAL;
            assertThat(steps).as("descent %s to %s, %s", last, next, context).isEqualTo(pastLimit ? 2 : 1);
            assertThat(next.since() - last.since())
                    .as("time on %s, %s", last, context)
                    .isGreaterThanOrEqualTo(times.hold());
            if (last.rung() != Rung.LIMIT) {
                assertThat(next.since() - latestShed)
                        .as("time since the latest shed request before the descent to %s, %s", next, context)
                        .isGreaterThanOrEqualTo(times.hold() - TICK);
            }
        } else {
            assertThat(next.since()).as("rung without a change, %s", context).isEqualTo(last.since());
        }
        last = next;
    }

    private void shed() {
        descend();
        if (latestShed == 0 || now - latestShed > LONGEST_PAUSE) {
            began = now;
        }
        latestShed = now;
        ladder.shed(ErrorKind.BULKHEAD_FULL, now, times);
        ascend(last.rung().compareTo(Rung.SHED) < 0 ? Rung.SHED : above(last.rung()));
        assertThat(last.rung()).isGreaterThanOrEqualTo(Rung.SHED);
    }

    private void limit() {
        descend();
        ladder.limited(now, times);
        ascend(last.rung() == Rung.NORMAL ? Rung.LIMIT : last.rung());
    }

    private Rung above(Rung rung) {
        int next = rungs.indexOf(rung) + 1;
        return next == rungs.size() ? rung : rungs.get(next);
    }

    private void ascend(Rung highest) {
        Position next = ladder.position(now, times);
        assertThat(next.rung())
                .as("ascent from %s, %s", last, context)
                .isGreaterThanOrEqualTo(last.rung())
                .isLessThanOrEqualTo(highest);
        if (next.rung() != last.rung()) {
            reached.merge(next.rung(), 1, Integer::sum);
            assertThat(next.since()).isEqualTo(now);
            assertThat(now - began)
                    .as("continuous shedding before %s, %s", next, context)
                    .isGreaterThanOrEqualTo(least(next.rung()));
        }
        last = next;
    }

    private long least(Rung rung) {
        return switch (rung) {
            case NORMAL, LIMIT, SHED -> Long.MIN_VALUE;
            case BROWNOUT -> times.brownout();
            case STALE -> times.stale();
            case PAGE -> times.page();
        };
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void rungsFollowEachOtherInTheirOrderAndLastForTheHold(long hundred) {
        for (long seed = 100 * hundred; seed < 100 * hundred + 100; seed++) {
            new OverloadLadderPropertyTest().run(seed);
        }
    }

    private void run(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        begin(random);
        context += ", seed " + seed;
        for (int phase = 0; phase < 12; phase++) {
            int load = random.nextInt(4);
            int requests = random.nextInt(1, 150);
            long gap = random.nextLong(1, load == 3 ? 1500 : 200);
            for (int i = 0; i < requests; i++) {
                if (load == 0 || (load == 2 && random.nextBoolean())) {
                    limit();
                } else {
                    shed();
                }
                pass(random.nextLong(gap) * MS);
            }
            pass(random.nextLong(6000) * MS);
        }
        pass(rungs.size() * (times.hold() + SECOND));
        assertThat(last.rung()).as("after the load, %s", context).isEqualTo(Rung.NORMAL);
        assertThat(last.reason()).isNull();
        List<Integer> counted = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (Rung rung : Rung.values()) {
            counted.add((int) ladder.reached(rung));
            expected.add(reached.getOrDefault(rung, 0));
        }
        assertThat(counted).as("ascents to each rung, %s", context).isEqualTo(expected);
    }
}
