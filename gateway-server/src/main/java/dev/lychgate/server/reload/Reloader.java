package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterLibrary;
import dev.lychgate.filters.groovy.GenerationsAlive;
import dev.lychgate.filters.groovy.IgnoredFile;
import dev.lychgate.filters.state.GenerationObjects;
import dev.lychgate.generation.Generation;
import dev.lychgate.loop.SerialExecutor;
import dev.lychgate.server.admin.FleetSource;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.admin.Proposals;
import dev.lychgate.server.admin.RolloutControl;
import dev.lychgate.server.admin.RolloutRequest;
import dev.lychgate.server.fleet.ReleaseTarget;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.yaml.LoadedConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds generations from files and puts them into force, one at a time. A refused change is logged and recorded with
 * its errors, and the running generation stays in force.
 */
public final class Reloader implements Generations, FileWatch.Follower {
    private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(3);

    private final GenerationBuilder builder;
    private final @Nullable LastGood lastGood;
    private final Replacement replacement;
    private final Rollback rollback;
    private final Rollouts rollouts;
    private final InForce inForce;
    private final Renewals renewals;
    private final Rehearsal rehearsal;
    private final ChangeNotes notes;
    private final GenerationsAlive alive;
    private final SerialExecutor onRequest = SerialExecutor.passing("lychgate-reload");
    private volatile Hold hold = Hold.NONE;
    private volatile @Nullable FleetSource fleet;
    private final FileWarnings warnings;
    private final WatchedFiles watched;
    private final Refusals refusals;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** The state that decides whether a saved change takes effect without a request. */
    private enum Hold {
        /** Saved changes take effect, unless the configuration has {@code watch: off}. */
        NONE,
        /** Saved changes have no effect, because an operator rolled back. A reload ends this state. */
        PINNED
    }

    /**
     * @param gateway puts an assembly into force; throws {@link ConfigException} if it is refused
     * @param lastGood keeps a copy of the filters for a restart; null if no copy is kept
     * @param rollouts introduces changes gradually, unless they take effect at once
     * @param notes records all changes
     */
    Reloader(
            GenerationBuilder builder,
            Swap gateway,
            @Nullable LastGood lastGood,
            GenerationsAlive alive,
            Rollouts rollouts,
            ChangeNotes notes) {
        this.builder = builder;
        this.lastGood = lastGood;
        this.alive = alive;
        this.replacement = new Replacement(LOG, builder, gateway);
        this.rollback = new Rollback(builder, gateway::apply);
        this.rollouts = rollouts;
        this.notes = notes;
        this.watched = new WatchedFiles(builder::included, builder::secretFiles);
        this.inForce = new InForce(watched);
        this.refusals = new Refusals(LOG, notes, inForce::running);
        this.renewals = new Renewals(LOG, builder, replacement, inForce, rollouts, notes, refusals);
        rollouts.completedBy(onRequest, this::promote);
        rollouts.reportTo(notes::event);
        this.warnings = new FileWarnings(LOG, () -> builder.groovy().report().warnings());
        this.rehearsal = new Rehearsal(builder, gateway, inForce::running);
    }

    /**
     * Records the generation that the gateway was started with.
     *
     * @param instead the reason why the generation differs from the files on disk; null if it does not differ
     */
    synchronized void started(BuiltGeneration first, Generation generation, @Nullable RefusedException instead) {
        inForce.start(first, generation);
        watched.follow(first.files().config());
        warnings.log(first.files());
        notes.begin("start", Author.GATEWAY);
        if (instead == null) {
            keep(first.files());
            notes.accepted("accepted", "start", null, first.files(), generation.number());
        } else {
            refusals.atStart(instead.faults());
            notes.accepted("fallback", String.join("; ", instead.faults()), null, first.files(), generation.number());
        }
    }

    /**
     * Continues a rollout after a restart, if the gateway has started with the stable generation of this rollout. An
     * interrupted rollout begins anew. The files of an aborted candidate stay refused.
     */
    synchronized void resume(StableCopy copy) {
        rollouts.restarted(copy.entry(), copy.onDisk());
        inForce.otherAdmin(!copy.stable().hasAdminOf(copy.onDisk()));
        watched.follow(copy.onDisk().config());
        if (copy.entry().stage() == RolloutJournal.Stage.UNDER_WAY) {
            onRequest.execute(() ->
                    reload("a restart interrupted the rollout", copy.entry().request(), Author.GATEWAY));
        }
    }

    /**
     * Reads all files and puts a generation of them into force. The call also ends the effect of a rollback: saved
     * changes take effect automatically again. If the files are unchanged, a new generation is built only to restore an
     * ejected filter. After {@link #close}, files are refused.
     */
    public Outcome reload(String why) {
        return reload(why, RolloutRequest.CONFIGURED, Author.SIGNAL);
    }

    /**
     * Makes another release of a fleet active, and puts it into force at once, without a rollout. When the file watch
     * detects the new files, they are already in force. Therefore, the file watch does not start another change.
     *
     * @param link the link to the active release, which is reverted if the release is refused
     * @param by the author that the head of the fleet states
     * @throws IOException if the release cannot be made active
     */
    public synchronized Outcome activate(ReleaseTarget.Link link, String why, String by) throws IOException {
        link.activate();
        Outcome outcome;
        try {
            outcome = reload(why, RolloutRequest.OFF, Author.ofFleet(by));
        } catch (RuntimeException | Error e) {
            link.revert();
            throw e;
        }
        if (!(outcome instanceof Outcome.Taken)) {
            link.revert();
        }
        return outcome;
    }

    /**
     * Builds and checks a release of a fleet without serving it.
     *
     * @param release the directory of the release
     */
    public Proposals.Result prepare(Path release) {
        return rehearsal.ofRelease(release);
    }

    /** Exposes the fleet of this node in the admin interface. Called once, after the start. */
    public void reportFleet(FleetSource source) {
        fleet = source;
    }

    @Override
    public @Nullable FleetSource fleet() {
        return fleet;
    }

    /**
     * Reloads on behalf of an author.
     *
     * @param request the rollout that replaces the configured rollout
     */
    private synchronized Outcome reload(String why, RolloutRequest request, Author author) {
        notes.begin("reload", author);
        Outcome outcome = attempt(why, Unchanged.BUILT_ANEW, request);
        if (outcome instanceof Outcome.Taken) {
            hold = Hold.NONE;
        }
        return outcome;
    }

    /**
     * Builds a generation from the files that were written, and puts the generation into force. Does nothing if the
     * contents of the files are unchanged. While a rollback is in force, only written certificates, keys and secrets
     * take effect. With {@code watch: off}, only written certificates and keys take effect. A refusal is provisional
     * until {@link #settled}, because a copy of the files may still be in progress.
     */
    @Override
    public synchronized void follow(String why) {
        notes.begin("reload", Author.WATCH);
        History.Taken running = inForce.running();
        boolean watches =
                running != null && running.built().files().config().lifecycle().watch() != LifecycleConfig.Watch.OFF;
        if (running != null && hold == Hold.PINNED && watches && why.equals(FileWatch.SECRET)) {
            refusals.readAgain();
            renewals.rotateAlone(why);
        } else if (running != null && why.equals(FileWatch.RENEWED) && (hold == Hold.PINNED || !watches)) {
            renewals.renew(why, running);
        } else if (running != null && hold == Hold.PINNED) {
            LOG.warn(
                    "{}; not applied: generation {} stays in force until a reload is requested, because an operator"
                            + " rolled back",
                    why,
                    running.number());
            renewals.renew(why, running);
        } else if (running != null && !watches) {
            LOG.info("{}; the change is not applied until a reload is requested, because watch is off", why);
            renewals.renew(why, running);
        } else {
            attempt(why, Unchanged.LEFT_ALONE, RolloutRequest.CONFIGURED);
        }
    }

    /** Makes a provisional refusal of the files final. */
    @Override
    public synchronized void settled(String why) {
        refusals.settled(why);
    }

    /** The treatment of unchanged files. */
    private enum Unchanged {
        /** A generation is built from unchanged files if that restores an ejected filter. */
        BUILT_ANEW,
        LEFT_ALONE
    }

    private Outcome attempt(String why, Unchanged unchanged, RolloutRequest request) {
        History.Taken running = inForce.running();
        if (running == null) {
            return new Outcome.Refused(List.of("the gateway has been stopped"));
        }
        refusals.readAgain();
        try {
            FilesRead files = read();
            notes.read(files);
            boolean rotated = renewals.rotateIfReadable(why, running.built().files(), files);
            running = Objects.requireNonNull(inForce.running(), "a running generation");
            FilesRead before = running.built().files();
            if (rotated && files.isBuiltLike(before)) {
                rollouts.returned(why);
                refusals.clear();
                warnings.log(files);
                return new Outcome.Taken(running.number());
            }
            boolean same = files.isSameAs(before);
            if (files.isBuiltLike(before) && (unchanged == Unchanged.LEFT_ALONE || !inForce.hasEjectedFilter())) {
                long number = running.number();
                rollouts.returned(why);
                if (same) {
                    LOG.info("{}; nothing has changed, so generation {} stays in force", why, number);
                    if (unchanged == Unchanged.BUILT_ANEW) {
                        notes.unchanged(why, running);
                    }
                } else {
                    // The filters stay the same, so this renewal does not close objects of filters.
                    number = renewals.renew(running, files, why).number();
                }
                refusals.clear();
                warnings.log(files);
                keep(files);
                return new Outcome.Taken(number);
            }
            if (same) {
                builder.loadAnew();
            } else if (request.isConfigured() && rollouts.settle(files, unchanged == Unchanged.BUILT_ANEW, why)) {
                refusals.clear();
                renewals.renew(why, running);
                if (unchanged == Unchanged.BUILT_ANEW) {
                    notes.unchanged(why + "; the rollout of these files continues", running);
                }
                return new Outcome.Taken(running.number());
            }
            return new Outcome.Taken(take(files, same ? why + "; no file changed" : why, request));
        } catch (RefusedException e) {
            if (unchanged == Unchanged.LEFT_ALONE) {
                refusals.provisional(why, e);
            } else {
                refusals.add(e);
            }
            return new Outcome.Refused(e.faults());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome.Refused(List.of("interrupted"));
        }
    }

    /**
     * Reads all files and puts a generation of them into force. A refusal is only thrown: it is neither logged nor
     * recorded.
     *
     * @throws RefusedException if the files are refused; the running generation stays in force
     */
    synchronized Generation take(String why) throws RefusedException, InterruptedException {
        return take(read(), why);
    }

    /**
     * Builds a generation of the files, and makes it a candidate or puts it into force at once.
     *
     * @return the number of the generation
     */
    private long take(FilesRead files, String why, RolloutRequest request)
            throws RefusedException, InterruptedException {
        History.Taken stable = inForce.running();
        RolloutPlan plan =
                stable == null ? null : rollouts.plan(files, stable.built().files(), request);
        if (stable == null || plan == null) {
            long number = take(files, why).number();
            rollouts.replaced(number, why);
            return number;
        }
        BuiltGeneration next = builder.build(files);
        builder.gate().check(next, stable.built().files());
        long number;
        try {
            number = rollouts.introduce(stable, next, plan, request, why);
        } catch (RuntimeException | Error e) {
            next.close();
            throw builder.refused(files, e);
        }
        notes.accepted("candidate", why, stable, files, number);
        renewals.admit(files);
        refusals.clear();
        warnings.log(files);
        return number;
    }

    /**
     * Completes the promotion of a candidate.
     *
     * @return the reason why the promotion is impossible; null after a promotion
     */
    private synchronized @Nullable String promote() {
        History.Taken before = inForce.running();
        Rollouts.Promoted promoted = rollouts.promote();
        if (promoted == null) {
            return "the rollout ended meanwhile";
        }
        FilesRead files = promoted.built().files();
        inForce.take(
                new SwappedIn(promoted.generation(), promoted.built()), promoted.why() + "; promoted by a rollout");
        keep(files);
        notes.promoted(before, files, promoted.generation().number());
        History.Taken running = inForce.running();
        if (running != null) {
            renewals.renew("certificates or keys were written after the candidate was built", running);
            renewals.rotateAlone("secrets were written after the candidate was built");
        }
        return null;
    }

    private Generation take(FilesRead files, String why) throws RefusedException, InterruptedException {
        History.Taken before = inForce.running();
        SwappedIn next = replacement.by(files, inForce.hasEjectedFilter() ? null : before, why);
        refusals.clear();
        inForce.take(next, why);
        warnings.log(files);
        keep(files);
        notes.accepted("accepted", why, before, files, next.generation().number());
        return next.generation();
    }

    private FilesRead read() throws RefusedException {
        LoadedConfig loaded = builder.read();
        watched.follow(loaded.config());
        return builder.readRest(loaded);
    }

    /**
     * Puts a retained generation into force under a new number. It stays in force until a reload is requested, even if
     * files are written meanwhile. A recorded refusal of the files on disk stays recorded.
     */
    public Outcome rollback(long number) {
        return rollback(number, Author.GATEWAY);
    }

    private synchronized Outcome rollback(long number, Author author) {
        notes.begin("rollback", author);
        Rollback.Target target = rollback.target(number, inForce.history());
        if (target == null) {
            notes.refusedRollback(List.of("generation " + number + " is not kept"), inForce.running());
            return new Outcome.NotKept();
        }
        return rollback(target);
    }

    /**
     * Rolls back to the files of an entry of the history. Unlike {@link #rollback}, this method also works after a
     * restart.
     */
    private synchronized Outcome restore(long entry, Author author) {
        notes.begin("rollback", author);
        String why = "rollback to entry " + entry + " of the history";
        try {
            FilesRead files = notes.restore(entry, builder, inForce.history());
            notes.read(files);
            return rollback(rollback.target(why, files, inForce.history()));
        } catch (RefusedException e) {
            return refusals.ofRollback(why, e.faults(), e.getCause());
        }
    }

    private Outcome rollback(Rollback.Target target) {
        SwappedIn done;
        try {
            done = target.way().back();
        } catch (Rollback.Refused e) {
            return refusals.ofRollback(target.why(), List.of(String.valueOf(e.getMessage())), e.getCause());
        }
        // A running rollout ends only now, so that a refused rollback does not affect it.
        rollouts.abort(target.why());
        hold = Hold.PINNED;
        History.Taken before = inForce.running();
        inForce.take(done, target.why());
        FilesRead files = done.built().files();
        watched.followRolledBack(files.config());
        // A restart must not use the filters from which an operator has rolled back.
        keep(files);
        rollouts.stableIs(files);
        notes.accepted(
                "accepted", target.why(), before, files, done.generation().number());
        return new Outcome.Taken(done.generation().number());
    }

    private void keep(FilesRead good) {
        if (lastGood != null && good.filters() != null) {
            lastGood.save(good.filters());
            builder.saveCompiled();
        }
    }

    /**
     * Returns the filter directory that the last readable configuration named, whether the configuration was accepted
     * or not; null if it named none.
     */
    @Override
    public @Nullable FilterDirectory directory() {
        return watched.directory();
    }

    /**
     * Returns the certificate and key files of the last readable configuration, whether it was accepted or not. After a
     * rollback, returns the files of the configuration in force.
     */
    @Override
    public Set<String> certificates() {
        return watched.certificates();
    }

    /**
     * Returns the files that the last read configuration includes, and the files that its settings name. The
     * configuration may have been refused.
     */
    @Override
    public List<Path> included() {
        return watched.included();
    }

    @Override
    public Set<Path> secrets() {
        return watched.secrets();
    }

    /** Ends reloads, abandons a running build and releases all retained generations. */
    void close() {
        endReloads();
        alive.state().end(GenerationObjects.CLOSE_LIMIT);
    }

    @Override
    public void endReloads() {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        // This step comes first and does not need the lock, because a requested build holds the lock until it is
        // interrupted.
        onRequest.close();
        rollouts.stop();
        rehearsal.close();
        // A read from an unreachable mount may hold the lock forever, and must not keep the process from ending.
        Thread closing = new Thread(this::closeHistory, "lychgate-reload-close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(CLOSE_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        notes.close();
    }

    private synchronized void closeHistory() {
        rollouts.close();
        inForce.history().close();
        notes.stopped();
    }

    // ---- for the admin listener

    @Override
    public List<Kept> kept() {
        return inForce.history().kept();
    }

    @Override
    public @Nullable Content content(long number) {
        History.Taken taken = inForce.history().find(number);
        return taken == null ? null : taken.built().files().content();
    }

    @Override
    public boolean isPinned() {
        return hold == Hold.PINNED;
    }

    @Override
    public @Nullable Refusal refusal() {
        return refusals.latest();
    }

    @Override
    public List<IgnoredFile> ignored() {
        return warnings.ignored();
    }

    @Override
    public List<FilterLibrary> libraries() {
        History.Taken running = inForce.running();
        return running == null ? List.of() : running.built().files().libraries();
    }

    @Override
    public CompletableFuture<Outcome> reloadNow(RolloutRequest request, Author author) {
        return CompletableFuture.supplyAsync(
                () -> reload("requested by the admin listener", request, author), onRequest);
    }

    @Override
    public @Nullable ChangeHistory changes() {
        return notes.history();
    }

    @Override
    public RolloutControl rollouts() {
        return rollouts;
    }

    @Override
    public CompletableFuture<Outcome> rollbackTo(long number, Author author) {
        return CompletableFuture.supplyAsync(() -> rollback(number, author), onRequest);
    }

    @Override
    public CompletableFuture<Outcome> rollbackToEntry(long entry, Author author) {
        return CompletableFuture.supplyAsync(() -> restore(entry, author), onRequest);
    }

    /** Returns the object that reads and checks files on disk that have not taken effect yet. */
    public Proposals proposals() {
        return rehearsal;
    }

    @Override
    public long taken() {
        return inForce.taken();
    }

    @Override
    public long refused() {
        return refusals.count();
    }

    @Override
    public GenerationsAlive alive() {
        return alive;
    }
}
