package dev.lychgate.filters.groovy;

import dev.lychgate.chain.FilterForm;
import dev.lychgate.config.Durations;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.FailurePolicy;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterPhase;
import groovy.lang.Closure;
import groovy.lang.Script;
import groovy.transform.stc.ClosureParams;
import groovy.transform.stc.SimpleType;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a filter script is written in. The script runs once, when its generation is built, and says what the filter is:
 *
 * <pre>
 * order 10
 * timeout '2s'
 * filter { exchange ->
 *     exchange.request.headers['x-seen'] = 'yes'
 * }
 * </pre>
 *
 * <p>It declares its work by exactly one of {@link #filter}, {@link #async} and {@link #blocking}; everything else has a
 * default. One closure serves all event loops at once: what belongs to an exchange is kept on the exchange. A closure
 * decides by a {@link dev.lychgate.filter.FilterOutcome} as its result, such as {@code exchange.respond(503)}; whatever else
 * it results in, the exchange goes on. A statement whose outcome is nobody's result is refused when the script is compiled.
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

    @Nullable
    Closure<?> selfCheck;

    @Nullable
    Closure<?> applies;

    private @Nullable FilterForm form;
    private @Nullable Closure<?> work;
    private boolean over;
    /** The line that declares the work; null if it is not known. */
    @Nullable
    StackTraceElement declaredAt;

    /** Its place within the phase: lower runs first. Default 0. */
    public void order(int place) {
        declare();
        order = place;
    }

    /** How long a run may take, as {@code '250ms'} or {@code '2s'}; of {@link #async} and {@link #blocking} filters. Default 5 s. */
    public void timeout(String length) {
        timeout(Durations.parse(length));
    }

    /** As {@link #timeout(String)}. @throws IllegalArgumentException if it is not more than zero */
    public void timeout(Duration length) {
        declare();
        if (length.isZero() || length.isNegative()) {
            throw new IllegalArgumentException("a timeout of " + length + " (expected: > 0)");
        }
        timeout = length;
    }

    /** If the filter fails, the exchange goes on without it. The default in the phases outbound and error. */
    public void failOpen() {
        declare();
        onFailure = FailurePolicy.FAIL_OPEN;
    }

    /** If the filter fails, so does the exchange. The default in the phases inbound and endpoint. */
    public void failClosed() {
        declare();
        onFailure = FailurePolicy.FAIL_CLOSED;
    }

    /** The filter needs the whole body, if it is no longer than {@code bytes}. Default: none. */
    public void body(int bytes) {
        declare();
        body = BodyNeed.whole(bytes);
    }

    /** Names the filter, in place of its file. @throws IllegalArgumentException if there is nothing in it */
    public void name(String other) {
        declare();
        if (other.isBlank()) {
            throw new IllegalArgumentException("a filter without a name");
        }
        name = other;
    }

    /** Looks once, before the generation takes over, whether the filter can work; what it throws refuses the generation. */
    public void selfCheck(Closure<?> check) {
        declare();
        selfCheck = check;
    }

    /** Which exchanges the filter wants to see, by Groovy's truth. Default: all. Runs on the event loop. */
    public void applies(@ClosureParams(value = SimpleType.class, options = EXCHANGE) Closure<?> condition) {
        declare();
        applies = condition;
    }

    /** A filter that answers at once, on the event loop; it must not block. */
    public void filter(@ClosureParams(value = SimpleType.class, options = EXCHANGE) Closure<?> closure) {
        work(FilterForm.SYNC, closure);
    }

    /**
     * A filter that answers later: it results in a {@link java.util.concurrent.CompletionStage}, in a source of RxJava 3
     * ({@code Single}, {@code Maybe}, {@code Completable}, {@code Observable}, {@code Flowable}) or in a {@code Publisher} of
     * Reactive Streams or of {@link java.util.concurrent.Flow}. Of a source of several items, the first one counts; if it is
     * empty, the exchange continues. Begins on the event loop, and must not block. Any other result than those and an outcome
     * is a failure of the filter.
     */
    public void async(@ClosureParams(value = SimpleType.class, options = EXCHANGE) Closure<?> closure) {
        work(FilterForm.ASYNC, closure);
    }

    /** A filter that may block. */
    public void blocking(@ClosureParams(value = SimpleType.class, options = EXCHANGE) Closure<?> closure) {
        work(FilterForm.BLOCKING, closure);
    }

    private void work(FilterForm how, Closure<?> closure) {
        declare();
        if (form != null) {
            throw new IllegalStateException("a script is one filter; this one has declared another before");
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
            throw new IllegalStateException("a script says what its filter is while it is built, not while it runs");
        }
    }

    /** Runs the script. @return its filter; null if it declares none */
    final @Nullable Filter declared(FilterDeclarations.Declared declaration) {
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
