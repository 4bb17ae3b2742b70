package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final MetricsThread thread = new MetricsThread();
    private final LinkedBlockingQueue<CompletableFuture<String>> begun = new LinkedBlockingQueue<>();
    private final Rounds<String> rounds = new Rounds<>(thread, () -> {
        CompletableFuture<String> round = new CompletableFuture<>();
        begun.add(round);
        return round;
    });

    @AfterEach
    void stop() {
        thread.shutdownNow();
    }

    private CompletableFuture<String> nextRound() throws InterruptedException {
        CompletableFuture<String> round = begun.poll(10, TimeUnit.SECONDS);
        assertThat(round).isNotNull();
        return round;
    }

    private void found(CompletableFuture<String> round, String what) throws Exception {
        thread.submit(() -> round.complete(what)).get(10, TimeUnit.SECONDS);
    }

    @Test
    void callersDuringARoundShareTheNext() throws Exception {
        CompletableFuture<String> first = rounds.next();
        CompletableFuture<String> round = nextRound();
        List<CompletableFuture<String>> late = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            late.add(rounds.next());
        }
        found(round, "old");
        assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("old");

        CompletableFuture<String> second = nextRound();
        assertThat(late).noneMatch(CompletableFuture::isDone);
        found(second, "new");
        for (CompletableFuture<String> each : late) {
            assertThat(each.get(10, TimeUnit.SECONDS)).isEqualTo("new");
        }
        thread.submit(() -> {}).get(10, TimeUnit.SECONDS);
        assertThat(begun).isEmpty();
    }

    @Test
    void aFailedRoundFailsOnlyForItsCallers() throws Exception {
        CompletableFuture<String> first = rounds.next();
        CompletableFuture<String> round = nextRound();
        CompletableFuture<String> second = rounds.next();
        thread.submit(() -> round.completeExceptionally(new IllegalStateException("broken")));
        assertThatThrownBy(() -> first.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("broken");
        found(nextRound(), "well");
        assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("well");
    }

    @Test
    void failsAtOnceAfterTheStop() {
        thread.shutdownNow();
        assertThat(rounds.next())
                .failsWithin(java.time.Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(RejectedExecutionException.class);
    }
}
