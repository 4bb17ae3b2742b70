package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.LifecycleConfig;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GenerationsAlive;
import dev.lychgate.filters.groovy.IgnoredFile;
import dev.lychgate.generation.Generation;
import dev.lychgate.loop.SerialExecutor;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.LoadedConfig;
import dev.lychgate.tls.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns files into running generations, one at a time. Whatever is wrong is logged with its place and remembered, and the
 * running generation is not touched.
 */
public final class Reloader implements Generations, FileWatch.Follower {
    private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(1);

    private final GenerationBuilder builder;
    private final Function<FilterAssembly, Generation> gateway;
    private final @Nullable LastGood lastGood;
    private final History history = new History();
    private final GenerationsAlive alive;
    private final SerialExecutor onRequest = SerialExecutor.passing("lychgate-reload");
    private volatile Hold hold = Hold.NONE;
    private volatile @Nullable Refusal refusal;
    private volatile @Nullable String directory;
    private @Nullable Generation current;
    private volatile Set<String> certificates = Set.of();
    private volatile List<String> named = List.of();
    private @Nullable FilterSources warned;
    private volatile List<IgnoredFile> ignored = List.of();
    /** The last refusal of files that may still be written; null once they have settled. */
    private @Nullable Unsettled unsettled;

    /** @param why the change that was refused */
    private record Unsettled(String why, RefusedException refused) {}

    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /** Whether changed files take effect by themselves. */
    private enum Hold {
        /** They do, unless the configuration says otherwise. */
        NONE,
        /** They do not, as an operator has gone back to an earlier generation: a reload ends that. */
        PINNED
    }

    /**
     * @param gateway lets an assembly take over; throws {@link ConfigException} if it can't
     * @param lastGood keeps a copy of the filters for a restart; null = none is kept
     */
    Reloader(
            GenerationBuilder builder,
            Function<FilterAssembly, Generation> gateway,
            @Nullable LastGood lastGood,
            GenerationsAlive alive) {
        this.builder = builder;
        this.gateway = gateway;
        this.lastGood = lastGood;
        this.alive = alive;
    }

    /**
     * The gateway has been started with this.
     *
     * @param instead why it is not what the files say; null if it is
     */
    synchronized void started(BuiltGeneration first, Generation generation, @Nullable RefusedException instead) {
        current = generation;
        history.add(new History.Taken(generation.number(), generation.since(), first, "start"));
        directory = first.files().config().filters().directory();
        follow(first.files().config());
        warn(first.files());
        if (instead == null) {
            keep(first.files());
        } else {
            refused.incrementAndGet();
            refusal = new Refusal(Instant.now(), instead.faults());
        }
    }

    /**
     * Reads all files and lets them take over. If they are those that run, the running generation stays, unless it has a filter
     * that was ejected: a new generation brings it back. They are refused after the end. A rollback holds no more once they have taken over.
     */
    public synchronized Outcome reload(String why) {
        Outcome outcome = attempt(why, Unchanged.BUILT_ANEW);
        if (outcome instanceof Outcome.Taken) {
            hold = Hold.NONE;
        }
        return outcome;
    }

    /**
     * The files were written: lets them take over, unless they are those that run. While a rollback holds, or the configuration
     * in force says {@code watch: off}, only certificates and keys that were written take effect. A refusal is provisional until
     * {@link #settled}, because they may be half a copy.
     */
    @Override
    public synchronized void follow(String why) {
        History.Taken running = history.running();
        if (running != null && hold == Hold.PINNED) {
            LOG.warn(
                    "{}; not applied: generation {} holds until a reload, as it was rolled back to",
                    why,
                    running.number());
            renew(why, running);
        } else if (running != null
                && running.built().files().config().lifecycle().watch() == LifecycleConfig.Watch.OFF) {
            LOG.info("{}; not applied until a reload, as watch is off", why);
            renew(why, running);
        } else {
            attempt(why, Unchanged.LEFT_ALONE);
        }
    }

    /** Has what runs take over once more if its certificates have been renewed: it reads them when it does. */
    private void renew(String why, History.Taken running) {
        if (unsettled != null) {
            unsettled = null;
            refusal = null;
        }
        FilesRead before = running.built().files();
        FilesRead now = before.renewed();
        if (now.certificates().equals(before.certificates())) {
            return;
        }
        try {
            Generation generation = takeOver(running.built().assembly(), now);
            current = generation;
            history.renew(new History.Taken(
                    generation.number(),
                    generation.since(),
                    running.built().with(now),
                    "a certificate or key was written"));
            taken.incrementAndGet();
        } catch (RefusedException e) {
            refuseOrWait(why, e);
        }
    }

    /** If the files were refused, they are wrong. */
    @Override
    public synchronized void settled(String why) {
        Unsettled last = unsettled;
        if (last != null && last.why().equals(why)) {
            unsettled = null;
            refuse(last.refused());
        }
    }

    /** What is done about files that are those that run. */
    private enum Unchanged {
        /** They are built again if that brings back a filter that was ejected. */
        BUILT_ANEW,
        LEFT_ALONE
    }

    private Outcome attempt(String why, Unchanged unchanged) {
        History.Taken running = history.running();
        if (running == null) {
            return new Outcome.Refused(List.of("the gateway has been stopped"));
        }
        unsettled = null;
        try {
            FilesRead files = read();
            boolean same = files.isSameAs(running.built().files());
            if (same && (unchanged == Unchanged.LEFT_ALONE || !hasEjectedFilter())) {
                LOG.info("{}, and says what runs already: generation {} goes on", why, running.number());
                refusal = null;
                warn(files);
                keep(files);
                return new Outcome.Taken(running.number());
            }
            return new Outcome.Taken(
                    take(files, same ? why + "; nothing had changed" : why).number());
        } catch (RefusedException e) {
            if (unchanged == Unchanged.LEFT_ALONE) {
                refuseOrWait(why, e);
            } else {
                refuse(e);
            }
            return new Outcome.Refused(e.faults());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Outcome.Refused(List.of("interrupted"));
        }
    }

    /** Whether building the same files again would bring back a filter. */
    private boolean hasEjectedFilter() {
        Generation running = current;
        return running != null
                && running.filters().placements().stream()
                        .anyMatch(placement -> placement.slot().isEjected());
    }

    /**
     * Reads all files and lets them take over. A refusal is thrown to the caller instead of being logged and remembered.
     *
     * @throws RefusedException if the files can't be used; the running generation serves on
     */
    synchronized Generation take(String why) throws RefusedException, InterruptedException {
        return take(read(), why);
    }

    private Generation take(FilesRead files, String why) throws RefusedException, InterruptedException {
        BuiltGeneration next = builder.build(files);
        Generation generation = takeOver(next);
        refusal = null;
        remember(generation, next, why);
        warn(files);
        keep(files);
        return generation;
    }

    private FilesRead read() throws RefusedException {
        LoadedConfig loaded = builder.read();
        // Also of a directory that is refused next, for it not being there: it is to be seen when it comes.
        directory = loaded.config().filters().directory();
        follow(loaded.config());
        return builder.readRest(loaded);
    }

    private void follow(GatewayConfig config) {
        certificates = TlsFiles.of(config);
        named = FilesRead.named(config);
    }

    /** Lets what is new take over, or lets go of it. What has run before is for the history to let go of. */
    private Generation takeOver(BuiltGeneration next) throws RefusedException {
        try {
            return takeOver(next.assembly(), next.files());
        } catch (RefusedException e) {
            next.close();
            throw e;
        }
    }

    private Generation takeOver(FilterAssembly assembly, FilesRead files) throws RefusedException {
        try {
            return gateway.apply(assembly);
        } catch (RuntimeException | Error e) {
            throw builder.refused(files, e);
        }
    }

    /**
     * Lets an earlier generation take over again, under a new number. It holds until a reload is asked for, whatever is written; files
     * that were refused still are.
     */
    public synchronized Outcome rollback(long number) {
        History.Taken earlier = history.find(number);
        if (earlier == null) {
            return new Outcome.NotKept();
        }
        Generation generation;
        try {
            generation = gateway.apply(earlier.built().assembly());
        } catch (ConfigException e) {
            return refuse(number, String.valueOf(e.getMessage()), null);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            return refuse(number, "unexpected failure: " + e, e);
        }
        hold = Hold.PINNED;
        remember(generation, earlier.built(), "rollback to " + number);
        follow(earlier.built().files().config());
        // Those that were gone back from are none that a start should fall back to.
        keep(earlier.built().files());
        return new Outcome.Taken(generation.number());
    }

    private Outcome refuse(long number, String fault, @Nullable Throwable trace) {
        refused.incrementAndGet();
        LOG.error("rollback to {} refused: {}; the running generation goes on", number, fault, trace);
        return new Outcome.Refused(List.of(fault));
    }

    private void remember(Generation generation, BuiltGeneration built, String why) {
        current = generation;
        history.add(new History.Taken(generation.number(), generation.since(), built, why));
        taken.incrementAndGet();
    }

    /** Says what is unwise about the files that run, unless it is what was said of the same filters before. */
    private void warn(FilesRead files) {
        FilterSources before = warned;
        FilterSources now = files.filters();
        warned = now;
        ignore(now == null ? List.of() : now.ignored());
        if (now == null
                || (before != null
                        && now.fingerprint().equals(before.fingerprint())
                        && now.warnings().equals(before.warnings()))) {
            return;
        }
        now.warnings().forEach(warning -> LOG.warn("filters: {}", warning));
    }

    /** Says of each file once that it is ignored, and again only if it has gone in between. */
    private void ignore(List<IgnoredFile> now) {
        List<IgnoredFile> before = ignored;
        ignored = now;
        now.stream().filter(file -> !before.contains(file)).forEach(file -> LOG.warn("filters: {}", file));
    }

    /** Files that were just written may be half a copy, or one of two. A fault of ours is none of theirs. */
    private void refuseOrWait(String why, RefusedException e) {
        if (e.getCause() != null) {
            refuse(e);
            return;
        }
        unsettled = new Unsettled(why, e);
        refusal = new Refusal(Instant.now(), e.faults());
        e.faults().forEach(fault -> LOG.info("not taken yet, as it may still be written: {}", fault));
    }

    private void refuse(RefusedException e) {
        refused.incrementAndGet();
        refusal = new Refusal(Instant.now(), e.faults());
        e.log(LOG);
        LOG.error("nothing of the change is taken; the running generation goes on");
    }

    private void keep(FilesRead good) {
        if (lastGood != null && good.filters() != null) {
            lastGood.save(good.filters());
        }
    }

    /**
     * The filter directory that the configuration named when it could be read last, whether it was taken or not; null if it
     * named none.
     */
    @Override
    public @Nullable String directory() {
        return directory;
    }

    /**
     * The files of certificates and keys that the configuration named when it could be read last, taken or not; after a rollback those
     * of the configuration that was gone back to.
     */
    @Override
    public Set<String> certificates() {
        return certificates;
    }

    /** The files that the configuration included when it was read last, taken or not, and those that its settings name. */
    @Override
    public List<Path> included() {
        List<Path> all = new ArrayList<>(builder.included());
        named.forEach(file -> all.add(Path.of(file)));
        return all;
    }

    /** Takes nothing more, and lets go of all that is kept. What is being built is given up. */
    void close() {
        // First, and without the lock: a build on request holds it until it is interrupted.
        onRequest.close();
        // Whoever reads a file of a mount that is gone holds the lock for good: the end of the process does not wait
        // for that.
        Thread closing = new Thread(this::closeHistory, "lychgate-reload-close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(CLOSE_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void closeHistory() {
        history.close();
    }

    // ---- what the admin listener asks

    @Override
    public List<Kept> kept() {
        List<History.Taken> all = history.all();
        return all.stream()
                .map(one -> new Kept(
                        one.number(),
                        one.since(),
                        one.why(),
                        one.number() == all.get(0).number()))
                .toList();
    }

    @Override
    public @Nullable Content content(long number) {
        History.Taken taken = history.find(number);
        if (taken == null) {
            return null;
        }
        FilesRead files = taken.built().files();
        Map<String, String> filters = new HashMap<>();
        if (files.filters() != null) {
            files.filters().files().forEach(file -> filters.put(file.path(), file.text()));
        }
        return new Content(files.config(), filters, files.certificates());
    }

    @Override
    public boolean isPinned() {
        return hold == Hold.PINNED;
    }

    @Override
    public @Nullable Refusal refusal() {
        return refusal;
    }

    @Override
    public List<IgnoredFile> ignored() {
        return ignored;
    }

    @Override
    public CompletableFuture<Outcome> reloadNow() {
        return CompletableFuture.supplyAsync(() -> reload("asked for by the admin listener"), onRequest);
    }

    @Override
    public CompletableFuture<Outcome> rollbackTo(long number) {
        return CompletableFuture.supplyAsync(() -> rollback(number), onRequest);
    }

    @Override
    public long taken() {
        return taken.get();
    }

    @Override
    public long refused() {
        return refused.get();
    }

    @Override
    public int alive() {
        return alive.count();
    }

    @Override
    public int abandonedBuilds() {
        return alive.abandonedBuilds();
    }
}
