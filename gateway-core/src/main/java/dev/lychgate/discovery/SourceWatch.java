package dev.lychgate.discovery;

import dev.lychgate.config.DiscoveryConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.Quantity;
import dev.lychgate.discovery.RemovalLimit.Limited;
import dev.lychgate.upstream.FoundEndpoint;
import dev.lychgate.upstream.SourceQuestion;
import dev.lychgate.upstream.SourceStatus;
import dev.lychgate.upstream.UpstreamState;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the reports of a source about one service of an upstream. A report without a ready endpoint never takes
 * effect. {@link RemovalLimit} limits how many endpoints a report may remove. After a failure of the source, the last
 * set of endpoints stays in use. Used on the thread of discovery, except for {@link #status()} and {@link #first()}.
 */
final class SourceWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SourceWatch.class);
    /**
     * The delay before a changed set is written to the storage, in nanoseconds. Several changes within this delay
     * cause one write.
     */
    private static final long BEFORE_WRITE = TimeUnit.SECONDS.toNanos(1);

    /** Schedules tasks on the thread of discovery. */
    interface Tasks {
        void execute(Runnable task);

        void later(Runnable task, long nanos);

        /**
         * Causes a call of {@link #apply} for all watches.
         *
         * @param atOnce true = the calls take place before this method returns; false = later, together with changes of
         *     other services
         */
        void changed(boolean atOnce);
    }

    private final String upstream;
    private final SourceQuestion question;
    private final UpstreamState state;
    private final EndpointSource source;
    private final Tasks tasks;
    private final LongSupplier clock;
    private final CompletableFuture<Void> first = new CompletableFuture<>();
    private RemovalLimit limit = new RemovalLimit(1, 0);
    private @Nullable DiscoveryConfig rules;
    private @Nullable LastSets lastSets;
    private EndpointSource.@Nullable Watch watch;
    private boolean stopped;
    /** The last report with a ready endpoint; null until such a report arrives. */
    private @Nullable List<FoundEndpoint> reported;

    /** Whether the last report had a ready endpoint. */
    private boolean accepted;

    private List<FoundEndpoint> used = List.of();
    private int retained;
    /** The time at which {@link #reported} is applied again; {@link Long#MAX_VALUE} = never. */
    private long again = Long.MAX_VALUE;

    private boolean writing;
    private boolean stored;
    private @Nullable Instant confirmed;
    private long answered;
    private long empty;
    private long failed;
    private @Nullable String fault;
    private volatile SourceStatus status;

    /**
     * Creates a watch, which begins with {@link #start}.
     *
     * @param clock returns the time in nanoseconds, as {@link System#nanoTime()}
     */
    SourceWatch(
            String upstream,
            SourceQuestion question,
            UpstreamState state,
            EndpointSource source,
            Tasks tasks,
            LongSupplier clock) {
        this.upstream = upstream;
        this.question = question;
        this.state = state;
        this.source = source;
        this.tasks = tasks;
        this.clock = clock;
        this.status = report();
    }

    /** Returns a future that completes after the first report or failure. */
    CompletableFuture<Void> first() {
        return first;
    }

    SourceStatus status() {
        return status;
    }

    /**
     * Replaces the rules of this watch. {@code sets} becomes the storage for the last set of endpoints; null = no
     * storage.
     */
    void follow(DiscoveryConfig settings, @Nullable LastSets sets) {
        boolean moved = rules == null || !Objects.equals(rules.state(), settings.state());
        if (rules == null
                || !rules.maxRemoval().equals(settings.maxRemoval())
                || !rules.removalPeriod().equals(settings.removalPeriod())) {
            limit = new RemovalLimit(
                    settings.maxRemoval().fraction(), settings.removalPeriod().toNanos());
        }
        rules = settings;
        lastSets = sets;
        if (moved && reported != null) {
            writeLater();
        }
    }

    /** Uses the endpoints that an earlier process stored, and starts to watch the source. */
    void start() {
        if (stopped) {
            return;
        }
        state.lend(question);
        used = state.found(question);
        restore();
        watch = source.watch(question, new Reports());
    }

    private void restore() {
        LastSets sets = lastSets;
        if (sets == null || !used.isEmpty()) {
            return;
        }
        try {
            LastSets.Kept kept = sets.read(service());
            if (kept != null && kept.endpoints().stream().anyMatch(FoundEndpoint::isReady)) {
                used = List.copyOf(kept.endpoints());
                confirmed = kept.confirmed();
                stored = true;
                state.found(question, used);
                status = report();
                LOG.info(
                        "upstream {}: stored endpoints of service {} restored: {}; the source last confirmed them at"
                                + " {}",
                        upstream,
                        question,
                        count(used),
                        confirmed);
            }
        } catch (IOException e) {
            LOG.warn(
                    "upstream {}: the stored endpoints of service {} cannot be read: {}; no endpoint is known until the"
                            + " source responds",
                    upstream,
                    question,
                    e.getMessage());
        }
    }

    private LastSets.Service service() {
        return new LastSets.Service(upstream, question.source(), question.serviceAndPort());
    }

    void stop() {
        stopped = true;
        EndpointSource.Watch ending = watch;
        if (ending != null) {
            ending.close();
        }
        state.forget(question);
        first.complete(null);
    }

    /** Transfers the reports of the source to the thread of discovery. */
    private final class Reports implements EndpointSource.Listener {
        @Override
        public void found(List<FoundEndpoint> endpoints) {
            tasks.execute(() -> accept(() -> onFound(endpoints)));
        }

        @Override
        public void confirmed() {
            tasks.execute(() -> accept(() -> onConfirmed()));
        }

        @Override
        public void failed(String reason) {
            tasks.execute(() -> accept(() -> onFailure(reason)));
        }

        private void accept(Runnable report) {
            if (!stopped) {
                report.run();
                status = report();
                first.complete(null);
            }
        }
    }

    private void onFound(List<FoundEndpoint> endpoints) {
        if (endpoints.stream().noneMatch(FoundEndpoint::isReady)) {
            empty++;
            accepted = false;
            refuse("the source reports " + (endpoints.isEmpty() ? "no endpoints" : "no ready endpoint"));
            return;
        }
        answered++;
        accepted = true;
        recovered();
        boolean atOnce = used.isEmpty();
        reported = List.copyOf(endpoints);
        again = clock.getAsLong();
        tasks.changed(atOnce);
    }

    private void onConfirmed() {
        if (accepted) {
            recovered();
        }
    }

    private void recovered() {
        if (fault != null) {
            LOG.info("upstream {}: the source reports endpoints of service {} again", upstream, question);
        }
        fault = null;
        confirmed = Instant.now();
    }

    private void onFailure(String reason) {
        failed++;
        refuse(reason);
    }

    private void refuse(String reason) {
        if (!reason.equals(fault)) {
            LOG.warn(
                    "upstream {}: no usable report about service {}: {}; {}",
                    upstream,
                    question,
                    reason,
                    used.isEmpty()
                            ? "no endpoint is known yet"
                            : "the last reported endpoints stay in use: " + count(used));
        }
        fault = reason;
    }

    /** Applies the last report. Returns whether the endpoints in use have changed. */
    boolean apply() {
        List<FoundEndpoint> next = reported;
        long now = clock.getAsLong();
        if (stopped || next == null || again == Long.MAX_VALUE || again - now > 0) {
            return false;
        }
        Limited limited = limit.apply(used, next, this::isHealthy, now);
        again = limited.again();
        if (again != Long.MAX_VALUE) {
            tasks.later(() -> tasks.changed(false), Math.max(1, again - now));
        }
        boolean changed = !limited.endpoints().equals(used);
        stored = false;
        if (changed || retained != limited.retained()) {
            log(limited);
        }
        retained = limited.retained();
        if (changed) {
            used = List.copyOf(limited.endpoints());
            state.found(question, used);
            writeLater();
        }
        status = report();
        return changed;
    }

    private boolean isHealthy(FoundEndpoint endpoint) {
        return state.isHealthy(new EndpointAddress(endpoint.host(), endpoint.port(), false))
                && state.isHealthy(new EndpointAddress(endpoint.host(), endpoint.port(), true));
    }

    private void log(Limited limited) {
        LOG.info(
                "upstream {}: endpoints of service {} updated; now in use: {}",
                upstream,
                question,
                count(limited.endpoints()));
        if (limited.retained() > 0) {
            LOG.warn(
                    "upstream {}: the source removed more endpoints of service {} than discovery.max-removal permits;"
                            + " removed endpoints that stay in use: {}",
                    upstream,
                    question,
                    limited.retained());
        }
    }

    private static String count(List<FoundEndpoint> endpoints) {
        long ready = endpoints.stream().filter(FoundEndpoint::isReady).count();
        String all = Quantity.of(endpoints.size(), "endpoint");
        return ready == endpoints.size() ? all : all + ", " + (endpoints.size() - ready) + " of them draining";
    }

    private void writeLater() {
        if (lastSets != null && !writing) {
            writing = true;
            tasks.later(this::write, BEFORE_WRITE);
        }
    }

    private void write() {
        writing = false;
        LastSets sets = lastSets;
        Instant time = confirmed;
        if (sets == null || stopped || time == null) {
            return;
        }
        try {
            sets.write(service(), new LastSets.Kept(time, used));
        } catch (IOException e) {
            LOG.warn(
                    "upstream {}: the endpoints of service {} cannot be stored: {}; after a restart, the gateway uses"
                            + " the endpoints that were stored earlier",
                    upstream,
                    question,
                    e.getMessage());
        }
    }

    private SourceStatus report() {
        int ready = (int) used.stream().filter(FoundEndpoint::isReady).count();
        return new SourceStatus(
                upstream,
                question.source(),
                question.serviceAndPort(),
                confirmed,
                stored,
                ready,
                used.size() - ready,
                retained,
                answered,
                empty,
                failed,
                fault);
    }
}
