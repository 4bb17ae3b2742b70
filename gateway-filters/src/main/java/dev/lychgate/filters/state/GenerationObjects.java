package dev.lychgate.filters.state;

import dev.lychgate.chain.FilterUse;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterCache;
import dev.lychgate.filter.FilterCounter;
import dev.lychgate.filter.FilterProperty;
import dev.lychgate.filter.FilterServices;
import dev.lychgate.filter.FilterTimer;
import dev.lychgate.filter.StateCodec;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.BiFunction;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The named state of the filters of one generation, and the objects that these filters open. Filters are loaded on the
 * thread of the build; all other methods are thread-safe.
 */
public final class GenerationObjects {
    /** The time limit for closing one object. */
    public static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(GenerationObjects.class);
    /** The maximum number of bytes of all caches of a generation together. */
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;
    /** A thread group in which no thread is started. */
    private static final ThreadGroup NO_THREADS = new ThreadGroup("lychgate-no-threads");

    private final SharedState store;
    private final BiFunction<String, StackTraceElement[], String> places;
    private final Closing closing;
    private final StartedThreads threads;
    private final LiveProperties properties;
    private final List<SharedState.Entry> entries = new ArrayList<>();
    private final List<SharedState.Gauge> gauges = new ArrayList<>();
    private @Nullable FilterUse use;
    /** Whether a filter could open objects while it runs, because its {@code onLoad} has received the services. */
    private boolean mayOpen;

    private volatile boolean foundClosed;
    /**
     * Whether an object that this generation has registered stays open after the end of this generation, because other
     * generations have registered it as well. The threads of such an object may still run.
     */
    private volatile boolean shares;

    /**
     * Whether all filters are loaded. Threads read this field and {@link #use} without a lock. Therefore, {@link #use}
     * is written before this field and read after it.
     */
    private volatile boolean complete;

    /**
     * Creates the objects of a generation whose filters are not from files. Threads that these filters start are not
     * detected.
     */
    public GenerationObjects(SharedState store, LiveProperties properties) {
        this(store, NO_THREADS, (file, stack) -> file, properties);
    }

    /**
     * Creates the objects of a generation whose filters are from files.
     *
     * @param group the thread group of the build
     * @param places returns the innermost file and line of filter code in a stack, or the given file if the stack
     *     contains no filter code
     * @param properties receives the properties that the filters read
     */
    public GenerationObjects(
            SharedState store,
            ThreadGroup group,
            BiFunction<String, StackTraceElement[], String> places,
            LiveProperties properties) {
        this.properties = properties;
        this.store = store;
        this.places = places;
        this.closing = new Closing(CLOSE_LIMIT, places, store::closeFailed);
        this.threads = new StartedThreads(group);
    }

    public FilterServices services(String file) {
        return new Services(file);
    }

    /** Returns the properties that the filters read. */
    public LiveProperties properties() {
        return properties;
    }

    /**
     * Calls {@code onLoad} of a created filter, and registers the actions for the end of the filter.
     *
     * @throws Exception any exception that the filter throws
     */
    public void load(String file, Filter filter) throws Exception {
        if (filter instanceof AutoCloseable closeable) {
            atEnd(file, "close() of filter " + filter.name(), closeable);
        }
        Services services = new Services(file);
        filter.onLoad(services);
        services.loaded = true;
        mayOpen |= overrides(filter, "onLoad", FilterServices.class);
        if (overrides(filter, "onUnload")) {
            closing.add(file, "onUnload() of filter " + filter.name(), filter::onUnload);
        }
    }

    /**
     * Adds an action for the end of the generation. If several generations add the same object, its action runs one
     * time, when the last of them ends. This does not apply to lambdas: each generation runs the lambdas that it adds.
     *
     * @param what the name of the action in messages
     */
    public void atEnd(String file, String what, AutoCloseable action) {
        atEnd(file, what, action, action);
    }

    private void atEnd(String file, String what, Object owner, AutoCloseable action) {
        // A lambda that captures no variables is the same object for all registrations, but counts as a separate action
        // of each generation.
        Object object = owner.getClass().isHidden() ? new Object() : owner;
        RegisteredObjects registered = store.registered();
        boolean building = !complete;
        if (building && registered.isClosed(object)) {
            foundClosed = true;
        }
        registered.add(object);
        closing.add(file, what, () -> {
            if (registered.remove(object, building)) {
                action.close();
            } else {
                shares = true;
            }
        });
    }

    /**
     * Returns whether a filter has registered an object that was closed at the end of an earlier generation, such as an
     * object in a static field.
     */
    public boolean foundClosed() {
        return foundClosed;
    }

    private static boolean overrides(Filter filter, String method, Class<?>... parameters) {
        try {
            return filter.getClass().getMethod(method, parameters).getDeclaringClass() != Filter.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /**
     * Records that the filters in {@code file} have started the threads that are new since the last call of this
     * method.
     */
    public void made(String file) {
        threads.made(file);
    }

    /**
     * Records that all filters are loaded. If more filters are loaded after this call and before the first exchange,
     * this method is called again.
     */
    public void complete() {
        boolean ends = mayOpen || !closing.isEmpty() || threads.any() || usesCodec();
        use = ends ? new FilterUse(this::end) : null;
        properties.loaded();
        complete = true;
        if (ends) {
            store.opened(this);
        }
    }

    /**
     * Returns whether the generation has state with a codec. Such state ends with its generation, and a rollback
     * decodes it again.
     */
    private boolean usesCodec() {
        return entries().stream().anyMatch(entry -> entry.codec() != null);
    }

    /** Returns the counter of the exchanges that use the generation; null if the generation has no objects to close. */
    public @Nullable FilterUse use() {
        return use;
    }

    /** Records that the generation has taken effect. */
    public void tookOver() {
        store.tookOver(this);
    }

    /** Records that the generation will not take effect again. Exchanges in progress may still use it. */
    public void forget() {
        store.forget(this);
        if (use == null) {
            // The end of this generation is not detected, because no filter had opened an object when all filters were
            // loaded.
            threads.warnLater();
        }
    }

    /**
     * Closes all objects. Later calls have no effect. Called when no exchange uses the filters and no new exchange can
     * use them.
     *
     * @return completes when each call that closes an object has ended or has been abandoned
     */
    public CompletableFuture<Void> end() {
        CompletableFuture<Void> done = closing.end();
        done.thenRun(() -> {
            if (store.ended(this) && !shares) {
                threads.warnLater();
            }
        });
        return done;
    }

    synchronized Collection<SharedState.Entry> entries() {
        return List.copyOf(entries);
    }

    synchronized Collection<SharedState.Gauge> gauges() {
        return List.copyOf(gauges);
    }

    synchronized SharedState.@Nullable Entry entry(String file, String name) {
        return entries.stream()
                .filter(entry -> entry.is(file, name))
                .findFirst()
                .orElse(null);
    }

    private synchronized void add(SharedState.Entry entry) {
        entries.add(entry);
    }

    /** Adds a gauge, which replaces a gauge with the same file, name and label. */
    private synchronized void add(SharedState.Gauge gauge) {
        gauges.removeIf(gauge::replaces);
        long labels = gauges.stream().filter(gauge::hasNameOf).count();
        if (labels >= ByLabel.MOST || gauge.label().length() > ByLabel.LONGEST) {
            throw new IllegalArgumentException("gauge '" + gauge.name() + "', label '" + gauge.label()
                    + "' (expected: at most " + ByLabel.MOST + " labels of at most " + ByLabel.LONGEST
                    + " characters)");
        }
        gauges.add(gauge);
    }

    private final class Services implements FilterServices {
        private final String file;
        private volatile boolean loaded;

        Services(String file) {
            this.file = file;
        }

        @Override
        public <T> T shared(String name, Class<T> type, Supplier<? extends T> initial) {
            SharedState.Entry entry = named(
                    name,
                    type.getName(),
                    known -> known.codec() == null && !isInstrument(known.value()) && type.isInstance(known.value()),
                    () -> initial.get());
            return type.cast(entry.value());
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T shared(String name, StateCodec<T> codec, Supplier<? extends T> initial) {
            SharedState.Entry own = entry(file, name);
            if (own == null) {
                checkOpen();
                SharedState.Entry before = store.find(file, name, entry -> entry.codec() != null);
                T carried = before == null ? null : carried(before, codec);
                T value = carried != null ? carried : initial(name, initial);
                own = new SharedState.Entry(
                        file, name, value.getClass().getName() + " with a codec", value, place(), codec);
                add(own);
            } else if (own.codec() == null) {
                throw clash(own, "state with a codec");
            }
            return (T) own.value();
        }

        @SuppressWarnings("unchecked")
        private <T> @Nullable T carried(SharedState.Entry before, StateCodec<T> codec) {
            try {
                Object encoded = ((StateCodec<Object>) Objects.requireNonNull(before.codec())).encode(before.value());
                Class<?> foreign = OwnTypes.in(encoded);
                if (foreign != null) {
                    throw new IllegalArgumentException("encode() returned an object of class " + foreign.getName());
                }
                return codec.decode(encoded);
            } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
                LOG.warn("shared state '{}' is reset: the codec at {} failed", before.name(), place(), e);
                return null;
            }
        }

        @Override
        @SuppressWarnings("unchecked")
        public <V> FilterCache<V> cache(String name, FilterCache.Bounds bounds) {
            String words = "cache of " + bounds.entries() + " entries, " + bounds.bytes() + " bytes, ttl "
                    + (bounds.ttl() == null ? "none" : bounds.ttl());
            SharedState.Entry entry = named(
                    name,
                    words,
                    known -> known.value() instanceof BoundedCache<?> cache
                            && cache.bounds().equals(bounds),
                    () -> new BoundedCache<V>(bounds));
            long bytes = entries().stream()
                    .filter(each -> each.value() instanceof BoundedCache<?>)
                    .mapToLong(each -> ((BoundedCache<?>) each.value()).bounds().bytes())
                    .reduce(0, (sum, more) -> sum > Long.MAX_VALUE - more ? Long.MAX_VALUE : sum + more);
            if (bytes > MOST_BYTES) {
                throw new IllegalArgumentException("with cache '" + name + "', the caches of all filters have " + bytes
                        + " bytes (expected: at most " + MOST_BYTES + ", a quarter of the heap)");
            }
            return (BoundedCache<V>) entry.value();
        }

        @Override
        public FilterCounter counter(String name) {
            return (Counts) named(name, "counter", known -> known.value() instanceof Counts, Counts::new)
                    .value();
        }

        @Override
        public FilterTimer timer(String name) {
            return (Times) named(name, "timer", known -> known.value() instanceof Times, Times::new)
                    .value();
        }

        @Override
        public <T> FilterProperty<T> property(String name, T otherwise) {
            checkOpen();
            return properties.declare(file, place(), name, otherwise);
        }

        @Override
        public void gauge(String name, String label, DoubleSupplier value) {
            checkOpen();
            add(new SharedState.Gauge(file, name, label, place(), value));
        }

        private SharedState.Entry named(
                String name, String type, Predicate<SharedState.Entry> fits, Supplier<?> initial) {
            SharedState.Entry own = entry(file, name);
            if (own != null) {
                if (!fits.test(own)) {
                    throw clash(own, type);
                }
                return own;
            }
            checkOpen();
            SharedState.Entry kept = store.find(file, name, fits);
            if (kept == null) {
                Object value = initial(name, initial);
                Class<?> foreign = OwnTypes.in(value);
                if (foreign != null) {
                    throw new IllegalArgumentException("shared state '" + name + "' has an object of class "
                            + foreign.getName() + ", which ends with its generation (expected: classes of the JDK,"
                            + " or a StateCodec)");
                }
                boolean object = !isInstrument(value);
                kept = new SharedState.Entry(
                        file, name, object ? value.getClass().getName() : type, value, place(), null);
            }
            add(kept);
            return kept;
        }

        private static <T> T initial(String name, Supplier<? extends T> initial) {
            T value = initial.get();
            if (value == null) {
                throw new IllegalArgumentException(
                        "the first value of shared state '" + name + "' is null (expected: an object)");
            }
            return value;
        }

        private static boolean isInstrument(Object value) {
            return value instanceof BoundedCache<?> || value instanceof Counts || value instanceof Times;
        }

        private IllegalArgumentException clash(SharedState.Entry own, String type) {
            return new IllegalArgumentException("'" + own.name() + "' is " + type + " here, and " + own.type() + " at "
                    + own.place() + " (expected: a different name for each; names may contain settings)");
        }

        private void checkOpen() {
            if (loaded) {
                throw new IllegalStateException(
                        "a filter can create its state and instruments only while it is being loaded");
            }
        }

        private String place() {
            return places.apply(file, Thread.currentThread().getStackTrace());
        }

        @Override
        public <T> T closeLater(T resource) {
            if (complete && use == null) {
                throw new IllegalStateException(
                        "closeLater: no filter of this generation called closeLater or onUnload while it was being "
                                + "loaded, so the gateway would not close this object (expected: the first call "
                                + "while a filter is being loaded)");
            }
            atEnd(file, "closing " + resource.getClass().getName(), resource, closeOf(resource));
            return resource;
        }

        private static AutoCloseable closeOf(Object resource) {
            if (resource instanceof ExecutorService executor) {
                return executor::shutdownNow;
            }
            if (resource instanceof AutoCloseable closeable) {
                return closeable;
            }
            if (resource instanceof Timer timer) {
                return timer::cancel;
            }
            if (resource instanceof HttpClient) {
                // Before JDK 21, an HTTP client has no close(). Its threads end after the client has been
                // garbage-collected.
                return () -> {};
            }
            throw new IllegalArgumentException(
                    "closeLater: can't close a " + resource.getClass().getName()
                            + " (expected: an AutoCloseable, an ExecutorService or a Timer; for others, use onUnload)");
        }
    }
}
