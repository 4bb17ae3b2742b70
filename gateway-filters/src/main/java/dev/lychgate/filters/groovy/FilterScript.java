package dev.lychgate.filters.groovy;

import dev.lychgate.chain.FilterForm;
import dev.lychgate.config.Durations;
import dev.lychgate.config.FilterBudget;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterCache;
import dev.lychgate.filter.FilterCounter;
import dev.lychgate.filter.FilterPhase;
import dev.lychgate.filter.FilterProperty;
import dev.lychgate.filter.FilterServices;
import dev.lychgate.filter.FilterTimer;
import dev.lychgate.filter.StateCodec;
import dev.lychgate.filters.state.GenerationObjects;
import groovy.lang.Closure;
import groovy.lang.Script;
import groovy.transform.stc.ClosureParams;
import groovy.transform.stc.SimpleType;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The base class of filter scripts. A script runs once, when its generation is built, and declares one filter:
 *
 * <pre>
 * order 10
 * timeout '2s'
 * filter { exchange ->
 *     exchange.request.headers['x-seen'] = 'yes'
 * }
 * </pre>
 *
 * <p>Exactly one of {@link #filter}, {@link #async} and {@link #blocking} is required; all other declarations have
 * defaults. All event loops call the same closure concurrently, so state of an exchange must be stored on the exchange.
 * If the closure returns a {@link dev.lychgate.filter.FilterOutcome}, such as {@code exchange.respond(503)}, this
 * outcome is the filter's decision. After any other result, the exchange continues. The compiler refuses statements
 * that create an outcome and drop it.
 */
public abstract class FilterScript extends Script {
    private static final String EXCHANGE = "dev.lychgate.filter.FilterExchange";

    String name = "";
    FilterPhase phase = FilterPhase.INBOUND;
    int order;
    Duration timeout = Filter.DEFAULT_TIMEOUT;

    @Nullable
    FailurePolicy onFailure;

    BodyNeed body = BodyNeed.NONE;
    boolean offload = true;
    FilterBudget budget = FilterBudget.INHERITED;

    @Nullable
    Closure<?> needsBody;

    boolean originalRequest;

    @Nullable
    Closure<?> selfCheck;

    @Nullable
    Closure<?> applies;

    private @Nullable FilterForm form;
    private @Nullable Closure<?> work;
    private boolean over;
    private @Nullable GenerationObjects objects;
    private String file = "";
    /** The line of the closure that runs for exchanges; null if the line is unknown. */
    @Nullable
    StackTraceElement declaredAt;

    /** Sets the position of the filter within its phase. Filters with lower numbers run first. Default: 0. */
    public void order(int place) {
        declare();
        order = place;
    }

    /**
     * Sets the timeout of an {@link #async} or {@link #blocking} filter, such as {@code '250ms'} or {@code '2s'}.
     * Default: 5 s.
     */
    public void timeout(String length) {
        timeout(Durations.parse(length));
    }

    /**
     * Sets the timeout of an {@link #async} or {@link #blocking} filter. Default: 5 s.
     *
     * @throws IllegalArgumentException if {@code length} is not more than zero
     */
    public void timeout(Duration length) {
        declare();
        if (length.isZero() || length.isNegative()) {
            throw new IllegalArgumentException("timeout: " + length + " (expected: > 0)");
        }
        timeout = length;
    }

    /** Lets exchanges continue if the filter fails. This is the default in the phases outbound and error. */
    public void failOpen() {
        declare();
        onFailure = FailurePolicy.FAIL_OPEN;
    }

    /** Makes exchanges fail if the filter fails. This is the default in the phases inbound and endpoint. */
    public void failClosed() {
        declare();
        onFailure = FailurePolicy.FAIL_CLOSED;
    }

    /**
     * Requires the complete body, of at most {@code bytes} bytes, before the filter runs. By default, the filter runs
     * without waiting for the body.
     */
    public void body(int bytes) {
        declare();
        body = BodyNeed.whole(bytes);
    }

    /**
     * Sets the budget of the filter, such as
     * {@code budget cpu: '200us', allocation: '64KiB', time: '50ms', concurrency: 100, over: 'eject'}.
     */
    public void budget(Map<String, ?> bounds) {
        declare();
        budget = FilterBudget.of(bounds);
    }

    /**
     * Sets whether the gateway may run a {@link #filter} on virtual threads after the filter has blocked an event loop.
     * With {@code false}, the filter stays on the event loop, and may be ejected after several strikes.
     */
    public void offload(boolean allowed) {
        declare();
        offload = allowed;
    }

    /**
     * Requires the complete body, of at most {@code bytes} bytes, for each exchange for which {@code condition} returns
     * a value that is true by the rules of Groovy. The bodies of all other exchanges stream. The condition runs on the
     * event loop, after {@link #applies}.
     */
    public void body(int bytes, @ClosureParams(value = SimpleType.class, options = EXCHANGE) Closure<?> condition) {
        body(bytes);
        needsBody = condition;
    }

    /** Allows the filter to read {@code exchange.originalRequest}, which is the request before filters changed it. */
    public void originalRequest() {
        declare();
        originalRequest = true;
    }

    /**
     * Sets the name of the filter. Default: the name of its file.
     *
     * @throws IllegalArgumentException if {@code name} is blank
     */
    public void name(String other) {
        declare();
        if (other.isBlank()) {
            throw new IllegalArgumentException("the name of the filter is blank");
        }
        name = other;
    }

    /**
     * Sets a check that runs one time, before the generation takes effect. If the check throws an exception, the
     * generation is refused.
     */
    public void selfCheck(Closure<?> check) {
        declare();
        selfCheck = check;
    }

    /**
     * Restricts the filter to exchanges for which {@code condition} returns a value that is true by the rules of
     * Groovy. By default, the filter runs for all exchanges. The condition runs on the event loop.
     */
    public void applies(@ClosureParams(value = SimpleType.class, options = EXCHANGE) Closure<?> condition) {
        declare();
        applies = condition;
    }

    /** Declares a synchronous filter. The closure runs on the event loop and must not block. */
    public void filter(@ClosureParams(value = SimpleType.class, options = EXCHANGE) Closure<?> closure) {
        work(FilterForm.SYNC, closure);
    }

    /**
     * Declares an asynchronous filter. The closure is called on the event loop, must not block, and returns one of the
     * following. If it returns anything else, the filter fails.
     *
     * <ul>
     *   <li>an outcome
     *   <li>a {@link java.util.concurrent.CompletionStage}
     *   <li>a source of RxJava 3: {@code Single}, {@code Maybe}, {@code Completable}, {@code Observable} or {@code
     *       Flowable}
     *   <li>a {@code Publisher} of Reactive Streams or of {@link java.util.concurrent.Flow}
     * </ul>
     *
     * <p>The first item of a source is the outcome. If the source is empty, the exchange continues.
     */
    public void async(@ClosureParams(value = SimpleType.class, options = EXCHANGE) Closure<?> closure) {
        work(FilterForm.ASYNC, closure);
    }

    /** Declares a filter that may block. */
    public void blocking(@ClosureParams(value = SimpleType.class, options = EXCHANGE) Closure<?> closure) {
        work(FilterForm.BLOCKING, closure);
    }

    /**
     * Returns the object that the previous generation stored under the name {@code state}. If there is none, or the
     * object has another type, returns the result of {@code initial}. See
     * {@link FilterServices#shared(String, Class, java.util.function.Supplier)}.
     */
    @SuppressWarnings("unchecked")
    public <T> T shared(String state, Closure<T> initial) {
        return services().shared(state, (Class<T>) typeOf(initial), initial::call);
    }

    /**
     * Returns the object that the previous generation stored under the name {@code state}, or else the result of
     * {@code initial}. In contrast to {@link #shared(String, Closure)}, the class of the object may be from the filter
     * directory, because {@code codec} converts the object between generations.
     */
    public <T> T shared(String state, StateCodec<T> codec, Closure<T> initial) {
        return services().shared(state, codec, initial::call);
    }

    /** Returns the type of the closure's result as the compiler has determined it; {@code Object} in dynamic code. */
    private static Class<?> typeOf(Closure<?> initial) {
        for (Method method : initial.getClass().getDeclaredMethods()) {
            if (method.getName().equals("doCall") && method.getReturnType() != Object.class) {
                return MethodType.methodType(method.getReturnType()).wrap().returnType();
            }
        }
        return Object.class;
    }

    /** Returns the cache of the filter with the name {@code cache} and the default limits. */
    public <V> FilterCache<V> cache(String cache) {
        return cache(Map.of(), cache);
    }

    /**
     * Returns the cache of the filter with the name {@code cache} and these limits, such as
     * {@code cache('tokens', entries: 1000, bytes: '4MiB', ttl: '60s')}.
     */
    public <V> FilterCache<V> cache(Map<String, ?> bounds, String cache) {
        FilterCache.Bounds all = FilterCache.Bounds.DEFAULT;
        for (Map.Entry<String, ?> bound : bounds.entrySet()) {
            all = CacheBounds.with(all, cache, bound.getKey(), bound.getValue());
        }
        return services().cache(cache, all);
    }

    /** Returns a counter of the filter. The counter is exposed as a metric, and later generations keep its values. */
    public FilterCounter counter(String counter) {
        return services().counter(counter);
    }

    /** Returns a timer of the filter. The timer is exposed as a metric, and later generations keep its values. */
    public FilterTimer timer(String timer) {
        return services().timer(timer);
    }

    /**
     * Returns a property from {@code filters.properties}, such as {@code def limit = property('limit', 100)}. The
     * second argument is the default, and determines the type of the property. See {@link FilterServices#property}.
     */
    public <T> FilterProperty<T> property(String property, T otherwise) {
        return services().property(property, otherwise);
    }

    /**
     * Exposes a metric whose value is the number that {@code value} returns. The closure {@code value} does not run on
     * an event loop, but must not block.
     */
    public void gauge(String gauge, Closure<? extends Number> value) {
        gauge(gauge, "", value);
    }

    /**
     * Exposes a metric with a label, whose value is the number that {@code value} returns, such as
     * {@code gauge('queue', 'orders') { orders.size() }}.
     */
    public void gauge(String gauge, String label, Closure<? extends Number> value) {
        services().gauge(gauge, label, () -> value.call().doubleValue());
    }

    /**
     * Closes {@code resource} after the last exchange of the generation has ended; see
     * {@link FilterServices#closeLater}.
     */
    public <T> T closeLater(T resource) {
        return services().closeLater(resource);
    }

    /** Runs {@code action} after the last exchange of the generation has ended. */
    public void onUnload(Closure<?> action) {
        declare();
        Objects.requireNonNull(objects).atEnd(file, "onUnload", action::call);
    }

    private FilterServices services() {
        declare();
        return Objects.requireNonNull(objects).services(file);
    }

    private void work(FilterForm how, Closure<?> closure) {
        declare();
        if (form != null) {
            throw new IllegalStateException("a script declares one filter; this script declares two");
        }
        form = how;
        work = closure;
        declaredAt = StackWalker.getInstance()
                .walk(frames -> frames.filter(
                                frame -> frame.getClassName().equals(getClass().getName()))
                        .findFirst()
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .orElse(null));
    }

    private void declare() {
        if (over) {
            throw new IllegalStateException("a script declares its filter while it is built, not while it runs");
        }
    }

    /** Runs the script, and returns the filter that it declares; null if it declares no filter. */
    final @Nullable Filter declared(FilterDeclarations.Declared declaration, GenerationObjects generation) {
        objects = generation;
        file = declaration.file();
        name = declaration.baseName();
        phase = declaration.phase();
        run();
        over = true;
        Closure<?> does = work;
        if (form == null || does == null) {
            return null;
        }
        return switch (form) {
            case SYNC -> new ScriptFilter.Sync(this, does);
            case ASYNC -> new ScriptFilter.Async(this, does);
            case BLOCKING -> new ScriptFilter.Blocking(this, does);
        };
    }
}
