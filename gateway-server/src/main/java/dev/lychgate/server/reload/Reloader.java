package dev.lychgate.server.reload;

import dev.lychgate.config.ConfigException;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GenerationsAlive;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.filters.FilterPlaces;
import dev.lychgate.server.yaml.LoadedConfig;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns files into running generations, one at a time. Whatever is wrong is logged with its place and remembered, and the
 * running generation is not touched.
 */
public final class Reloader implements Generations {
    private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);

    private final GenerationBuilder builder;
    private final Function<FilterAssembly, Generation> gateway;
    private final LastGood lastGood;
    private final History history = new History();
    private final GenerationsAlive alive;
    private final ExecutorService onRequest = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "lychgate-reload");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable Refusal refusal;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /** @param gateway lets an assembly take over; throws {@link ConfigException} if it can't */
    Reloader(
            GenerationBuilder builder,
            Function<FilterAssembly, Generation> gateway,
            LastGood lastGood,
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
        history.add(new History.Taken(generation.number(), generation.since(), first, "start"));
        warn(first.sources(), null);
        if (instead == null) {
            keep(first);
        } else {
            refused.incrementAndGet();
            refusal = new Refusal(Instant.now(), instead.faults());
        }
    }

    /** Reads all files and lets them take over. @return the new generation; null if they were refused, and after the end */
    public synchronized @Nullable Generation reload(String why) {
        History.Taken running = history.running();
        if (running == null) {
            return null;
        }
        try {
            LoadedConfig loaded = builder.read();
            BuiltGeneration next = builder.build(loaded, GenerationBuilder.sources(loaded.config()));
            Generation generation = takeOver(next);
            remember(generation, next, why);
            warn(next.sources(), running.built().sources());
            keep(next);
            return generation;
        } catch (RefusedException e) {
            refuse(e.faults());
        } catch (ConfigException e) {
            refuse(List.of(FilterPlaces.line(e, builder.file() + ": ")));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return null;
    }

    /** Lets what is new take over, or lets go of it. What has run before is for the history to let go of. */
    private Generation takeOver(BuiltGeneration next) {
        try {
            return gateway.apply(next.assembly());
        } catch (RuntimeException | Error e) {
            next.close();
            throw e;
        }
    }

    /** Lets an earlier generation take over again, under a new number. Files are not looked at again until they change. */
    public synchronized Rollback rollback(long number) {
        History.Taken earlier = history.find(number);
        if (earlier == null) {
            return new Rollback.NotKept();
        }
        Generation generation;
        try {
            generation = gateway.apply(earlier.built().assembly());
        } catch (ConfigException e) {
            refused.incrementAndGet();
            LOG.error("rollback to {} refused: {}; the running generation goes on", number, e.getMessage());
            return new Rollback.Refused(String.valueOf(e.getMessage()));
        }
        remember(generation, earlier.built(), "rollback to " + number);
        return new Rollback.Taken(generation.number());
    }

    private void remember(Generation generation, BuiltGeneration built, String why) {
        history.add(new History.Taken(generation.number(), generation.since(), built, why));
        refusal = null;
        taken.incrementAndGet();
    }

    /** Says what is unwise about the files that were taken, unless it is what was said of the same files before. */
    private static void warn(@Nullable FilterSources now, @Nullable FilterSources before) {
        if (now == null
                || (before != null
                        && now.fingerprint().equals(before.fingerprint())
                        && now.warnings().equals(before.warnings()))) {
            return;
        }
        now.warnings().forEach(warning -> LOG.warn("filters: {}", warning));
    }

    private void refuse(List<String> faults) {
        refused.incrementAndGet();
        refusal = new Refusal(Instant.now(), faults);
        faults.forEach(fault -> LOG.error("refused: {}", fault));
        LOG.error("nothing of the change is taken; the running generation goes on");
    }

    private void keep(BuiltGeneration good) {
        if (good.sources() != null) {
            lastGood.save(good.sources());
        }
    }

    /** The filter directory of the running generation; null if it has none. */
    @Nullable
    String directory() {
        History.Taken running = history.running();
        return running == null
                ? null
                : running.built().assembly().config().filters().directory();
    }

    /** Takes nothing more, and lets go of all that is kept. What is being built is given up. */
    void close() {
        // First, and without the lock: a build on request holds it until it is interrupted.
        onRequest.shutdownNow();
        synchronized (this) {
            history.close();
        }
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
    public @Nullable Refusal refusal() {
        return refusal;
    }

    @Override
    public CompletableFuture<Boolean> reloadNow() {
        return CompletableFuture.supplyAsync(() -> reload("asked for by the admin listener") != null, onRequest);
    }

    @Override
    public CompletableFuture<Rollback> rollbackTo(long number) {
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
}
