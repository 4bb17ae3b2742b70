package dev.lychgate.discovery;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.DiscoveredConfig;
import dev.lychgate.config.DiscoveryConfig;
import dev.lychgate.config.SourceConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.upstream.SourceQuestion;
import dev.lychgate.upstream.SourceStatus;
import dev.lychgate.upstream.UpstreamState;
import dev.lychgate.upstream.UpstreamStates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the discovered services of all upstreams, and stores their endpoints in the states of the upstreams. A
 * process has one instance. Changes that arrive within {@value #BATCH_MILLIS} ms take effect together, even if they
 * belong to different services. Watches with unchanged settings continue when a new generation takes effect. Must not
 * be used on an event loop.
 */
public final class SourceDiscovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceDiscovery.class);
    private static final long BATCH_MILLIS = 100;

    private record Watched(String upstream, UpstreamState state, SourceQuestion question) {}

    private record Opened(String name, SourceConfig settings) {}

    private final EndpointSources kinds;
    private final Runnable changed;
    private final Map<Watched, SourceWatch> watches = new HashMap<>();
    private final Map<Opened, EndpointSource> sources = new HashMap<>();
    private final ScheduledThreadPoolExecutor thread;
    private boolean closed;
    /** Whether a task that applies changes is scheduled. Used only on the thread of discovery. */
    private boolean scheduled;

    /**
     * Creates an instance that watches no service yet. Its thread starts with the first watch.
     *
     * @param changed called after endpoints have changed, on the thread of this object; may block
     */
    public SourceDiscovery(EndpointSources kinds, Runnable changed) {
        this.kinds = kinds;
        this.changed = changed;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread created = new Thread(task, "lychgate-discovery");
            created.setDaemon(true);
            return created;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
    }

    /**
     * Starts watches for the services of a new generation, in addition to the existing watches.
     *
     * @param settings the rules for the new watches; the existing watches get these rules in {@link #adopt}
     * @return one future for each service, which completes after the first report or failure
     * @throws ConfigException if a source cannot be created
     */
    public synchronized List<CompletableFuture<Void>> begin(
            Collection<UpstreamConfig> upstreams, UpstreamStates states, @Nullable DiscoveryConfig settings) {
        List<CompletableFuture<Void>> first = new ArrayList<>();
        if (!closed) {
            DiscoveryConfig rules = settings == null ? DiscoveryConfig.DEFAULT : settings;
            for (UpstreamConfig upstream : upstreams) {
                for (Watched service : services(upstream, states)) {
                    SourceWatch watch = watches.get(service);
                    if (watch == null) {
                        watch = start(service, rules);
                        watches.put(service, watch);
                    }
                    first.add(watch.first());
                }
            }
        }
        return first;
    }

    /**
     * Watches exactly the services of these upstreams from now on, and discards the endpoints of all other services.
     */
    public synchronized void adopt(
            Collection<UpstreamConfig> upstreams, UpstreamStates states, @Nullable DiscoveryConfig settings) {
        Set<Watched> wanted = new HashSet<>();
        upstreams.forEach(upstream -> wanted.addAll(services(upstream, states)));
        begin(upstreams, states, settings);
        DiscoveryConfig rules = settings == null ? DiscoveryConfig.DEFAULT : settings;
        watches.entrySet().removeIf(watch -> {
            boolean gone = !wanted.contains(watch.getKey());
            execute(() -> {
                if (gone) {
                    watch.getValue().stop();
                } else {
                    watch.getValue().follow(rules, lastSets(rules));
                }
            });
            return gone;
        });
        Set<Opened> used = new HashSet<>();
        wanted.forEach(each -> used.add(opened(each.question())));
        sources.entrySet().removeIf(source -> {
            boolean gone = !used.contains(source.getKey());
            if (gone) {
                source.getValue().close();
            }
            return gone;
        });
    }

    private static List<Watched> services(UpstreamConfig upstream, UpstreamStates states) {
        List<Watched> services = new ArrayList<>();
        for (DiscoveredConfig item : upstream.discovered()) {
            services.add(new Watched(upstream.name(), states.of(upstream.name()), SourceQuestion.of(item)));
        }
        return services;
    }

    private static Opened opened(SourceQuestion question) {
        return new Opened(question.source(), question.settings());
    }

    private SourceWatch start(Watched service, DiscoveryConfig rules) {
        Opened key = opened(service.question());
        EndpointSource source = sources.get(key);
        if (source == null) {
            source = open(key);
            sources.put(key, source);
        }
        SourceWatch watch = new SourceWatch(
                service.upstream(), service.question(), service.state(), source, new WatchTasks(), System::nanoTime);
        execute(() -> {
            watch.follow(rules, lastSets(rules));
            watch.start();
        });
        return watch;
    }

    private EndpointSource open(Opened source) {
        try {
            return kinds.open(source.name(), source.settings());
        } catch (ConfigException e) {
            throw new ConfigException("discovery.sources." + source.name() + "." + e.key(), e.value(), e.expected());
        }
    }

    private @Nullable LastSets lastSets(DiscoveryConfig rules) {
        return rules.state() == null ? null : kinds.lastSets(Path.of(rules.state()));
    }

    private void execute(Runnable task) {
        try {
            thread.execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            // Discovery is closed.
        }
    }

    private void later(Runnable task, long nanos) {
        try {
            thread.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Discovery is closed.
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("internal error in discovery; the endpoints in use are unchanged", e);
        }
    }

    /** Runs tasks of the watches on the thread of discovery. */
    private final class WatchTasks implements SourceWatch.Tasks {
        @Override
        public void execute(Runnable task) {
            SourceDiscovery.this.execute(task);
        }

        @Override
        public void later(Runnable task, long nanos) {
            SourceDiscovery.this.later(task, nanos);
        }

        @Override
        public void changed(boolean atOnce) {
            if (atOnce) {
                applyAll();
            } else if (!scheduled) {
                scheduled = true;
                SourceDiscovery.this.later(SourceDiscovery.this::applyAll, TimeUnit.MILLISECONDS.toNanos(BATCH_MILLIS));
            }
        }
    }

    private void applyAll() {
        scheduled = false;
        boolean any = false;
        for (SourceWatch watch : all()) {
            any |= watch.apply();
        }
        if (any) {
            changed.run();
        }
    }

    private synchronized List<SourceWatch> all() {
        return List.copyOf(watches.values());
    }

    /** Returns the status of each discovered service. */
    public List<SourceStatus> statuses() {
        return all().stream().map(SourceWatch::status).toList();
    }

    /** Ends all watches. */
    @Override
    public synchronized void close() {
        closed = true;
        watches.clear();
        sources.values().forEach(EndpointSource::close);
        sources.clear();
        thread.shutdownNow();
    }
}
