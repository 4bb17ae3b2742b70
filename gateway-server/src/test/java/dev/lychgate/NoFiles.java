package dev.lychgate;

import dev.lychgate.filter.FilterCache;
import dev.lychgate.filter.FilterServices;
import dev.lychgate.filters.groovy.FilterLibrary;
import dev.lychgate.filters.groovy.GenerationsAlive;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.groovy.IgnoredFile;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.filters.state.LiveProperties;
import dev.lychgate.filters.state.SharedState;
import dev.lychgate.server.admin.FleetSource;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.admin.RolloutControl;
import dev.lychgate.server.admin.RolloutRequest;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.history.ChangeHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The generations of a gateway that watches files, without files. */
final class NoFiles implements Generations {
    private final ChangeHistory changes;
    private final @Nullable FleetSource fleet;

    NoFiles(ChangeHistory changes) {
        this(changes, null);
    }

    NoFiles(ChangeHistory changes, @Nullable FleetSource fleet) {
        this.changes = changes;
        this.fleet = fleet;
    }

    @Override
    public @Nullable FleetSource fleet() {
        return fleet;
    }

    @Override
    public List<Kept> kept() {
        return List.of(new Kept(1, Instant.EPOCH, "start", true));
    }

    @Override
    public @Nullable Content content(long number) {
        return null;
    }

    @Override
    public boolean isPinned() {
        return false;
    }

    @Override
    public List<IgnoredFile> ignored() {
        return List.of();
    }

    @Override
    public List<FilterLibrary> libraries() {
        return List.of();
    }

    @Override
    public @Nullable Refusal refusal() {
        return new Refusal(Instant.EPOCH, List.of("inbound/a.groovy:1:1: wrong"));
    }

    /** Has a candidate. */
    @Override
    public RolloutControl rollouts() {
        return new OneRollout();
    }

    @Override
    public CompletableFuture<Outcome> reloadNow(RolloutRequest request, Author author) {
        return CompletableFuture.completedFuture(new Outcome.Taken(1));
    }

    @Override
    public CompletableFuture<Outcome> rollbackTo(long number, Author author) {
        return CompletableFuture.completedFuture(new Outcome.Taken(2));
    }

    @Override
    public CompletableFuture<Outcome> rollbackToEntry(long entry, Author author) {
        return CompletableFuture.completedFuture(new Outcome.Taken(2));
    }

    @Override
    public void endReloads() {}

    @Override
    public ChangeHistory changes() {
        return changes;
    }

    @Override
    public long taken() {
        return 0;
    }

    @Override
    public long refused() {
        return 0;
    }

    /** Has one of each instrument. */
    @Override
    public GenerationsAlive alive() {
        GenerationsAlive alive = new GroovyFilters().alive();
        SharedState state = alive.state();
        GenerationObjects objects = new GenerationObjects(
                state, new ThreadGroup("test"), (file, stack) -> file, new LiveProperties(Map.of()));
        FilterServices services = objects.services("inbound/a.groovy");
        services.counter("counter").increment("label");
        services.timer("timer").record(Duration.ofSeconds(1));
        services.gauge("gauge", () -> 1);
        services.cache("cache", FilterCache.Bounds.DEFAULT).put("a", "b");
        objects.tookOver();
        return alive;
    }

    private static final class OneRollout implements RolloutControl {
        @Override
        public Status status() {
            return Status.NONE;
        }

        @Override
        public List<Event> events() {
            return List.of();
        }

        @Override
        public CompletableFuture<@Nullable String> change(Action action, double share) {
            return CompletableFuture.completedFuture("no rollout is running");
        }

        @Override
        public double share() {
            return 0.1;
        }

        @Override
        public long ended(String result) {
            return 1;
        }

        @Override
        public void exchanges(Exchanges to) {
            to.count("candidate", "2xx", 1);
        }

        @Override
        public Map<String, Long> shadowed() {
            return Map.of("equal", 1L);
        }

        @Override
        public Map<String, Long> shadowDifferences() {
            return Map.of("route", 1L);
        }
    }
}
