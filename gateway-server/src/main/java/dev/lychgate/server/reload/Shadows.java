package dev.lychgate.server.reload;

import dev.lychgate.config.RolloutConfig;
import dev.lychgate.config.ShadowConfig;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.http.Redaction;
import dev.lychgate.server.shadow.Shadow;
import dev.lychgate.server.shadow.ShadowBuild;
import dev.lychgate.server.shadow.ShadowTally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the shadows of candidates. For a shadow, the stable generation and the candidate are built once more, with
 * separate classes, objects and state.
 */
final class Shadows {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Supplier<GenerationBuilder> builders;
    private final ShadowTally tally = new ShadowTally(null);
    /** For each shadow whose thread may still run, the latch that opens at the end of the thread. */
    private final List<CountDownLatch> running = new ArrayList<>();

    /** @param builders returns builders whose filters serve no requests; called by the threads of shadows */
    Shadows(Supplier<GenerationBuilder> builders) {
        this.builders = builders;
    }

    /**
     * Returns a shadow for a candidate, not started yet; null if the rollout has no shadow. Used by one thread at a
     * time.
     */
    @Nullable
    Shadow of(RolloutConfig rollout, FilesRead stable, FilesRead candidate) {
        ShadowConfig config = rollout.shadow();
        if (config == null) {
            return null;
        }
        running.removeIf(ended -> ended.getCount() == 0);
        List<CountDownLatch> before = List.copyOf(running);
        Shadow next = new Shadow(
                config,
                () -> build(stable, before),
                () -> build(candidate, before),
                new Redaction(stable.config().accessLog().redact()),
                tally);
        running.add(next.ended());
        return next;
    }

    /** Returns the counts of all shadows since startup. */
    ShadowTally tally() {
        return tally;
    }

    private ShadowBuild build(FilesRead files, List<CountDownLatch> before) throws Exception {
        if (!files.config().extensions().isEmpty()) {
            throw new ShadowBuild.Impossible("extensions are configured, which a shadow would open a second time");
        }
        // An earlier shadow normally ends soon, because it only has to release its filters. The wait for it is limited,
        // because a filter may block the thread of that shadow forever.
        for (CountDownLatch ended : before) {
            if (!ended.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new ShadowBuild.Impossible("the thread of an earlier shadow has not ended");
            }
        }
        GenerationBuilder own = builders.get();
        boolean built = false;
        try {
            BuiltGeneration generation = own.build(files);
            built = true;
            return new ShadowBuild(
                    generation.assembly().config(), generation.assembly().filters(), () -> {
                        generation.close();
                        end(own);
                    });
        } finally {
            if (!built) {
                end(own);
            }
        }
    }

    private static void end(GenerationBuilder own) {
        own.groovy().alive().state().end(GenerationObjects.CLOSE_LIMIT);
    }
}
