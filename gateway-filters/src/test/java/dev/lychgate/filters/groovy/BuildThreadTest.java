package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.filters.state.LiveProperties;
import dev.lychgate.filters.state.SharedState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The result of an abandoned build is closed when the build ends. */
class BuildThreadTest {
    private final FilterClassLoader loader = new FilterClassLoader(
            "", new CompiledSources(Map.of(), Map.of(), List.of()), LibraryClasses.NONE, List.of());
    private final BuiltFilters built = new BuiltFilters(
            List.of(),
            List.of(loader),
            new GenerationObjects(
                    new SharedState(), new ThreadGroup("test"), (file, stack) -> file, new LiveProperties(Map.of())),
            List.of(),
            Set.of());
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CompletableFuture<Thread> builder = new CompletableFuture<>();

    private BuildThread late() throws Exception {
        BuildThread build = new BuildThread(() -> {
            builder.complete(Thread.currentThread());
            boolean waits = true;
            while (waits) {
                try {
                    goOn.await();
                    waits = false;
                } catch (InterruptedException e) {
                    // The build ignores the interrupt, as builds without interruptible calls do.
                }
            }
            return built;
        });
        assertThatThrownBy(() -> build.get(Duration.ofMillis(20))).isInstanceOf(TimeoutException.class);
        return build;
    }

    private void end() throws Exception {
        goOn.countDown();
        Thread thread = builder.get(30, TimeUnit.SECONDS);
        thread.join(30_000);
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void aResultBetweenTimeoutAndAbandonmentIsClosed() throws Exception {
        BuildThread build = late();
        end();
        assertThat(loader.isReleased()).isFalse();
        build.abandon("a.groovy", new AtomicInteger(), Duration.ofSeconds(10));
        assertThat(loader.isReleased()).isTrue();
    }

    @Test
    void aResultAfterTheAbandonmentIsClosed() throws Exception {
        BuildThread build = late();
        build.abandon("a.groovy", new AtomicInteger(), Duration.ofSeconds(10));
        assertThat(loader.isReleased()).isFalse();
        end();
        assertThat(loader.isReleased()).isTrue();
    }

    @Test
    void aResultInTimeBelongsToTheCaller() throws Exception {
        assertThat(new BuildThread(() -> built).get(Duration.ofSeconds(30))).isSameAs(built);
        assertThat(loader.isReleased()).isFalse();
    }

    @Test
    void aFailureAfterTheAbandonmentIsIgnored() throws Exception {
        BuildThread build = new BuildThread(() -> {
            throw new FilterFaultsException(FilterFault.of("a.groovy", "on purpose"));
        });
        assertThatThrownBy(() -> build.get(Duration.ofSeconds(30)))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(FilterFaultsException.class);
        assertThat(build.abandon("a.groovy", new AtomicInteger(), Duration.ofSeconds(10)))
                .isNotNull();
    }
}
