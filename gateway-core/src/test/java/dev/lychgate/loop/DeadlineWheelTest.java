package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The times at which deadlines fire, in virtual time: never early, a tick late at most, once per arming, independent of others.
 */
class DeadlineWheelTest {
    private static final long TICK = DeadlineWheel.TICK;
    private static final long SECOND = 10 * TICK;

    private final List<String> told = new ArrayList<>();

    /** Records the time at which it fires; tests add other actions. */
    private class Noted extends Deadline {
        private final String name;

        Noted(String name) {
            this.name = name;
        }

        @Override
        protected void onDeadline() {
            told.add(name);
        }
    }

    /**
     * Advances tick by tick until a deadline fires.
     *
     * @return ticks passed
     */
    private long ticksUntilTold(DeadlineWheel wheel, long start, int most) {
        for (int i = 1; i <= most; i++) {
            wheel.sweep(start + i * TICK);
            if (!told.isEmpty()) {
                return i;
            }
        }
        return -1;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 5_000_000_000L, -5_000_000_001L, Long.MAX_VALUE / 2})
    void isToldNeitherEarlyNorMoreThanATickLateWhateverTheClockBeginsAt(long start) {
        for (int ticks : new int[] {1, 2, 10, 1022, 1023, 1024, 1025, 5000}) {
            told.clear();
            DeadlineWheel wheel = new DeadlineWheel(start);
            wheel.arm(new Noted("a"), ticks * TICK);
            assertThat(ticksUntilTold(wheel, start, ticks + 10)).isBetween((long) ticks, ticks + 1L);
            assertThat(wheel.size()).isZero();
        }
    }

    @Test
    void isNeverEarlyOnALoopThatFellBehind() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        wheel.observe(5 * TICK + 7);
        wheel.arm(new Noted("a"), SECOND);
        wheel.sweep(15 * TICK);
        assertThat(told).isEmpty();
        wheel.sweep(17 * TICK);
        assertThat(told).containsExactly("a");
    }

    @Test
    void firesOncePerArming() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        Noted a = new Noted("a");
        wheel.arm(a, TICK);
        wheel.sweep(10 * SECOND);
        wheel.sweep(400 * SECOND);
        assertThat(told).containsExactly("a");
        wheel.arm(a, TICK);
        wheel.sweep(410 * SECOND);
        assertThat(told).containsExactly("a", "a");
    }

    @Test
    void movesLaterWithoutFiringAtTheFormerTime() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        Noted a = new Noted("a");
        wheel.arm(a, SECOND);
        wheel.sweep(5 * TICK);
        wheel.arm(a, SECOND);
        wheel.sweep(15 * TICK);
        assertThat(told).isEmpty();
        wheel.sweep(16 * TICK);
        assertThat(told).containsExactly("a");
    }

    @Test
    void movesEarlier() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        Noted a = new Noted("a");
        wheel.arm(a, 500 * SECOND);
        wheel.arm(a, SECOND);
        wheel.sweep(11 * TICK);
        assertThat(told).containsExactly("a");
        assertThat(wheel.size()).isZero();
    }

    @Test
    void doesNotFireAfterDisarmingOrRemoval() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        Noted a = new Noted("a");
        Noted b = new Noted("b");
        wheel.arm(a, SECOND);
        wheel.arm(b, SECOND);
        wheel.disarm(a);
        wheel.remove(b);
        assertThat(wheel.size()).isEqualTo(1);
        wheel.sweep(20 * SECOND);
        assertThat(told).isEmpty();
        assertThat(wheel.size()).isZero();
        wheel.remove(a);
        wheel.arm(a, TICK);
        wheel.sweep(21 * SECOND);
        assertThat(told).containsExactly("a");
    }

    @Test
    void anActionMayRemoveAndArmOthersOfItsSlot() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        Noted victim = new Noted("victim");
        Noted moved = new Noted("moved");
        Deadline[] first = {new Noted("")};
        first[0] = new Noted("first") {
            @Override
            protected void onDeadline() {
                super.onDeadline();
                wheel.remove(victim);
                wheel.arm(moved, SECOND);
                wheel.arm(this, SECOND);
            }
        };
        wheel.arm(moved, SECOND);
        wheel.arm(victim, SECOND);
        wheel.arm(first[0], SECOND);
        wheel.sweep(11 * TICK);
        assertThat(told).containsExactly("first");
        wheel.sweep(25 * TICK);
        assertThat(told).containsExactlyInAnyOrder("first", "first", "moved");
    }

    @Test
    void countsRefusedMemoryAndFiresTheOthers() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        long before = Headroom.refused();
        int[] told = new int[1];
        for (int i = 0; i < 3; i++) {
            wheel.arm(
                    new Deadline() {
                        @Override
                        protected void onDeadline() {
                            if (told[0]++ == 1) {
                                throw new MemoryRefusal(4096, 0);
                            }
                        }
                    },
                    DeadlineWheel.TICK);
        }
        wheel.sweep(10 * DeadlineWheel.TICK);
        assertThat(told[0]).isEqualTo(3);
        assertThat(Headroom.refused()).isEqualTo(before + 1);
    }

    @Test
    void anActionThatThrowsDoesNotKeepOthersFromFiring() {
        DeadlineWheel wheel = new DeadlineWheel(0);
        for (int i = 0; i < 3; i++) {
            wheel.arm(new Noted("a" + i), SECOND);
            wheel.arm(
                    new Noted("faulty") {
                        @Override
                        protected void onDeadline() {
                            throw new IllegalStateException("on purpose: a deadline at fault");
                        }
                    },
                    SECOND);
        }
        wheel.sweep(12 * TICK);
        assertThat(told).containsExactlyInAnyOrder("a0", "a1", "a2");
        assertThat(wheel.size()).isZero();
    }

    @Test
    void aHundredThousandRandomStepsAgreeWithANaiveModel() {
        SplittableRandom random = new SplittableRandom(42);
        DeadlineWheel wheel = new DeadlineWheel(-77);
        Modelled[] all = new Modelled[200];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Modelled();
        }
        long time = -77;
        for (int step = 0; step < 100_000; step++) {
            Modelled d = all[random.nextInt(all.length)];
            int what = random.nextInt(10);
            if (what < 6) {
                long delay = random.nextLong(random.nextInt(50) == 0 ? 3000 * TICK : 30 * TICK);
                wheel.arm(d, delay);
                d.earliest = time + delay;
                d.latest = time + delay + 2 * TICK;
            } else if (what == 6) {
                wheel.disarm(d);
                d.earliest = Deadline.NEVER;
            } else if (what == 7) {
                wheel.remove(d);
                d.earliest = Deadline.NEVER;
            }
            if (step % 10 == 0) {
                time += random.nextLong(3 * TICK);
                sweep(wheel, time, all);
            }
        }
        sweep(wheel, time + 5000 * TICK, all);
        assertThat(wheel.size()).isZero();
    }

    private static void sweep(DeadlineWheel wheel, long time, Modelled[] all) {
        wheel.sweep(time);
        for (Modelled d : all) {
            if (d.wasTold) {
                assertThat(d.earliest).isLessThanOrEqualTo(time);
                d.earliest = Deadline.NEVER;
                d.wasTold = false;
            } else if (d.earliest != Deadline.NEVER) {
                assertThat(d.latest).isGreaterThan(time);
            }
        }
    }

    private static final class Modelled extends Deadline {
        private long earliest = NEVER;
        private long latest;
        private boolean wasTold;

        @Override
        protected void onDeadline() {
            wasTold = true;
        }
    }
}
