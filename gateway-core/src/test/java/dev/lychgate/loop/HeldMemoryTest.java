package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.loop.Holding.Kind;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The messages that keep their memory when it does not suffice for all unfinished ones. */
class HeldMemoryTest {
    private static final int MOST = 1 << 20;
    private static final int QUARTER = MOST / 4;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final MemoryBudget budget = new MemoryBudget(MOST);
    private final DeadlineWheel wheel = new DeadlineWheel(0);
    private final HeldMemory memory = new HeldMemory(budget, channel.eventLoop(), wheel);
    private final List<String> aborted = new ArrayList<>();
    private final List<String> released = new ArrayList<>();
    private long now;

    private Holding hold(String name, int bytes, Kind kind) {
        Holding holding = memory.holding(new Holding.Owner() {
            @Override
            public void releaseBytes() {
                released.add(name);
            }

            @Override
            public void onReclaim() {
                aborted.add(name);
            }
        });
        assertThat(holding.hold(bytes, kind)).as(name).isTrue();
        return holding;
    }

    private boolean mayHold(int bytes, Kind kind) {
        return memory.holding(() -> aborted.add("asking")).hold(bytes, kind);
    }

    private void pass(long milliseconds) {
        now += TimeUnit.MILLISECONDS.toNanos(milliseconds);
        wheel.observe(now);
    }

    private List<String> aborted() {
        channel.runPendingTasks();
        return aborted;
    }

    @Test
    void reclaimsTheOldestHeadForANewOne() {
        for (int i = 0; i < 4; i++) {
            hold("head " + i, QUARTER, Kind.HEAD);
        }
        hold("head 4", QUARTER, Kind.HEAD);
        assertThat(aborted()).containsExactly("head 0");
        assertThat(budget.reclaimed()).isEqualTo(1);
    }

    @Test
    void returnsAllOfItsBatchOnceItHoldsNothing() {
        Holding first = hold("first", 10, Kind.HEAD);
        Holding second = hold("second", 10, Kind.BODY);
        assertThat(budget.held()).isGreaterThan(20);
        first.release();
        assertThat(budget.held()).isGreaterThan(10);
        second.release();
        assertThat(budget.held()).isZero();
    }

    @Test
    void aHeadThatGrowsDoesNotBecomeYounger() {
        Holding slow = hold("slow", QUARTER, Kind.HEAD);
        hold("other", 2 * QUARTER, Kind.HEAD);
        assertThat(slow.hold(QUARTER + 10_000, Kind.HEAD)).isTrue();
        hold("new", QUARTER, Kind.HEAD);
        assertThat(aborted()).containsExactly("slow");
    }

    @Test
    void theNextHeadOfAConnectionIsYoung() {
        Holding busy = hold("busy", QUARTER, Kind.HEAD);
        hold("other", 2 * QUARTER, Kind.HEAD);
        busy.moved();
        hold("new", 2 * QUARTER, Kind.HEAD);
        assertThat(aborted()).containsExactly("other");
    }

    @Test
    void reclaimsCopiesForRetriesFirst() {
        hold("head", QUARTER, Kind.HEAD);
        hold("copy", QUARTER, Kind.REPLAY);
        hold("new", 3 * QUARTER, Kind.HEAD);
        assertThat(aborted()).containsExactly("copy");
    }

    @Test
    void abortsNothingForACopyForARetry() {
        hold("head", 2 * QUARTER, Kind.HEAD);
        assertThat(mayHold(QUARTER, Kind.REPLAY)).isFalse();
        assertThat(aborted()).isEmpty();
    }

    @Test
    void refusesABodyRatherThanAbortOneThatMovesOn() {
        Holding moving = hold("moving", QUARTER, Kind.BODY);
        hold("other", QUARTER, Kind.BODY).complete();
        for (int i = 1; i <= 3; i++) {
            pass(1500);
            assertThat(moving.hold(QUARTER + i * 50_000, Kind.BODY)).isTrue();
            assertThat(mayHold(QUARTER, Kind.BODY)).isFalse();
        }
        pass(2100);
        assertThat(mayHold(QUARTER, Kind.BODY)).isTrue();
        assertThat(aborted()).containsExactly("moving");
    }

    @Test
    void aStalledBodyMakesRoomForAnOlderOneThatGoesOn() {
        Holding first = hold("first", QUARTER, Kind.BODY);
        hold("second", QUARTER, Kind.BODY);
        pass(2100);
        assertThat(first.hold(2 * QUARTER + 10_000, Kind.BODY)).isTrue();
        assertThat(aborted()).containsExactly("second");
    }

    @Test
    void doesNotReclaimABodyThatStallsByTheFaultOfAnother() {
        List<String> asked = new ArrayList<>();
        Holding paused = memory.holding(new Holding.Owner() {
            @Override
            public boolean isStalled() {
                asked.add("paused");
                return false;
            }

            @Override
            public void onReclaim() {
                aborted.add("paused");
            }
        });
        assertThat(paused.hold(QUARTER, Kind.BODY)).isTrue();
        hold("stalled", QUARTER, Kind.BODY);
        pass(2100);
        assertThat(mayHold(2 * QUARTER, Kind.BODY)).isTrue();
        assertThat(aborted()).containsExactly("stalled");
        assertThat(mayHold(QUARTER, Kind.BODY)).isFalse();
        assertThat(asked).as("once in two seconds").hasSize(1);
    }

    @Test
    void usualCompleteHeadsCountForNothing() {
        assertThat(memory.takeHead(HeldMemory.USUAL_HEADS)).isTrue();
        assertThat(memory.isCountingHeads()).isFalse();
        assertThat(budget.held()).isZero();
        assertThat(memory.takeHead(1000)).isTrue();
        assertThat(memory.isCountingHeads()).isTrue();
        assertThat(budget.held()).isGreaterThanOrEqualTo(1000);
        memory.giveHead(1000);
        memory.giveHead(HeldMemory.USUAL_HEADS);
        assertThat(budget.held()).isZero();
    }

    @Test
    void refusesLargeCompleteHeadsEarlierThanUsualOnes() {
        assertThat(memory.takeHead(HeldMemory.USUAL_HEADS)).isTrue();
        assertThat(fill(60 << 10)).isBetween(QUARTER, MOST / 2);
        assertThat(fill(8 << 10)).isBetween(QUARTER / 2, QUARTER + (64 << 10));
        assertThat(fill(1 << 10)).isBetween(QUARTER - (8 << 10), QUARTER + (8 << 10));
        assertThat(budget.held()).isLessThanOrEqualTo(MOST);
        assertThat(aborted()).isEmpty();
    }

    /**
     * Holds heads of one size until one is refused.
     *
     * @return the bytes of the others
     */
    private int fill(int size) {
        int all = 0;
        while (memory.takeHead(size)) {
            all += size;
        }
        return all;
    }

    @Test
    void aUsualCompleteHeadTakesThePlaceOfAnUnfinishedOne() {
        hold("unfinished", MOST, Kind.HEAD);
        assertThat(memory.takeHead(HeldMemory.USUAL_HEADS)).isTrue();
        assertThat(memory.takeHead(20 << 10)).as("a large one").isFalse();
        assertThat(aborted()).isEmpty();
        assertThat(memory.takeHead(1000)).isTrue();
        assertThat(aborted()).containsExactly("unfinished");
    }

    @Test
    void aRequestWhoseBodyStallsGivesTheMemoryOfItsHead() {
        assertThat(memory.takeHead(HeldMemory.USUAL_HEADS)).isTrue();
        for (int i = 0; i < 4; i++) {
            assertThat(memory.takeHead(MOST / 8)).isTrue();
            String name = "upload " + i;
            memory.holding(new Holding.Owner() {
                        @Override
                        public void releaseBytes() {
                            memory.giveHead(MOST / 8);
                        }

                        @Override
                        public void onReclaim() {
                            aborted.add(name);
                        }
                    })
                    .awaitBody();
        }
        assertThat(memory.takeHead(MOST / 8)).isFalse();
        pass(2100);
        assertThat(memory.takeHead(MOST / 8)).isTrue();
        assertThat(aborted()).containsExactly("upload 0");
    }

    @Test
    void anUnfinishedResponseHeadIsAbortedWithoutATurn() {
        for (int i = 0; i < 40; i++) {
            hold("response " + i, MOST / 40, Kind.RESPONSE_HEAD);
        }
        assertThat(mayHold(MOST, Kind.HEAD)).isTrue();
        assertThat(aborted()).hasSize(40);
    }

    @Test
    void aBodyThatGrowsByFewBytesIsStalledAllTheSame() {
        Holding dripping = hold("dripping", 2 * QUARTER, Kind.BODY);
        for (int i = 1; i <= 3; i++) {
            pass(1000);
            assertThat(dripping.hold(2 * QUARTER + i, Kind.BODY)).isTrue();
        }
        assertThat(mayHold(2 * QUARTER, Kind.BODY)).isTrue();
        assertThat(aborted()).containsExactly("dripping");
    }

    @Test
    void bodiesLeaveAQuarterToHeads() {
        hold("body", 3 * QUARTER, Kind.BODY);
        assertThat(mayHold(1, Kind.BODY)).isFalse();
        assertThat(mayHold(QUARTER, Kind.HEAD)).isTrue();
        assertThat(aborted()).isEmpty();
    }

    @Test
    void aCompleteMessageIsCountedAndNotReclaimed() {
        Holding complete = hold("complete", 3 * QUARTER, Kind.BODY);
        complete.complete();
        pass(5000);
        assertThat(mayHold(QUARTER, Kind.BODY)).isFalse();
        complete.release();
        assertThat(mayHold(QUARTER, Kind.BODY)).isTrue();
        assertThat(aborted()).isEmpty();
    }

    @Test
    void reclaimsOldHeadsOfThisLoopForAnotherLoop() {
        HeldMemory other = new HeldMemory(budget, channel.eventLoop(), wheel);
        hold("old", MOST, Kind.HEAD);
        pass(600);
        assertThat(other.holding(() -> {}).hold(QUARTER, Kind.HEAD)).isFalse();
        wheel.sweep(now += TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(aborted()).containsExactly("old");
        assertThat(budget.held()).isZero();
        assertThat(other.holding(() -> {}).hold(QUARTER, Kind.HEAD)).isTrue();
    }

    @Test
    void reclaimedMemoryNoLongerCounts() {
        Holding first = hold("first", MOST, Kind.HEAD);
        hold("second", MOST, Kind.HEAD).release();
        assertThat(first.hold(QUARTER, Kind.HEAD))
                .as("it is about to be aborted")
                .isTrue();
        first.release();
        assertThat(budget.held()).isLessThanOrEqualTo(QUARTER);
    }

    /** A refused client may send the same again at once, and must not occupy the event loop. */
    @Test
    void abortsMessagesAtALimitedRate() {
        heads(40);
        assertThat(mayHold(MOST, Kind.HEAD)).isTrue();
        assertThat(aborted()).hasSize(16);
        sweep();
        assertThat(aborted()).hasSize(32);
        sweep();
        assertThat(aborted()).hasSize(40).doesNotHaveDuplicates();
    }

    @Test
    void memoryIsFreeBeforeItsMessageIsAborted() {
        List<Holding> heads = heads(40);
        List<Holding> waiting = heads.subList(16, 40);
        assertThat(mayHold(MOST, Kind.HEAD)).isTrue();
        assertThat(released).hasSize(40);
        waiting.forEach(head -> assertThat(head.hold(QUARTER, Kind.HEAD)).isTrue());
        assertThat(budget.held()).isEqualTo(MOST);
    }

    @Test
    void aMessageThatEndsBeforeItsTurnIsNotAborted() {
        List<Holding> heads = heads(40);
        assertThat(mayHold(MOST, Kind.HEAD)).isTrue();
        heads.subList(16, 40).forEach(Holding::release);
        sweep();
        assertThat(aborted()).hasSize(16);
    }

    @Test
    void completionDoesNotSaveAMessageWhoseBytesAreGone() {
        List<Holding> heads = heads(40);
        assertThat(mayHold(MOST, Kind.HEAD)).isTrue();
        heads.forEach(Holding::complete);
        sweep();
        sweep();
        assertThat(aborted()).hasSize(40);
    }

    @Test
    void copiesForRetriesDoNotWaitForATurn() {
        for (int i = 0; i < 40; i++) {
            hold("copy " + i, QUARTER / 40, Kind.REPLAY);
        }
        assertThat(mayHold(MOST, Kind.HEAD)).isTrue();
        assertThat(aborted()).hasSize(40);
    }

    @Test
    void aRefusedMessageIsAbortedInItsTurn() {
        hold("body", 3 * QUARTER, Kind.BODY);
        Holding refused = hold("refused", 10, Kind.HEAD);
        assertThat(refused.hold(QUARTER, Kind.BODY)).isFalse();
        refused.abort();
        refused.abort();
        assertThat(aborted()).containsExactly("refused");
        assertThat(released).containsExactly("refused");
    }

    private List<Holding> heads(int count) {
        List<Holding> heads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            heads.add(hold("head " + i, MOST / count, Kind.HEAD));
        }
        return heads;
    }

    private void sweep() {
        wheel.sweep(now += TimeUnit.MILLISECONDS.toNanos(200));
    }
}
