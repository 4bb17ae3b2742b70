package dev.lychgate.filter;

import dev.lychgate.config.FilterBudget;
import java.time.Duration;

/**
 * Processes exchanges. A filter has a phase and a form; a class declares both by the interfaces that it implements: the phase
 * by {@link InboundFilter}, {@link EndpointFilter}, {@link OutboundFilter} or {@link ErrorFilter}, the form by
 * {@link SyncFilter}, {@link AsyncFilter} or {@link BlockingFilter}.
 *
 * <p>One object serves all event loops concurrently, so its fields must not hold state of an exchange. State of an exchange is
 * stored on the exchange, see {@link FilterExchange#set}.
 *
 * <p>The gateway reads the properties below once, when it builds a generation.
 */
public interface Filter {
    /** The default of {@link #timeout()}. */
    Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /** Returns the name in logs, metrics and configuration, unique within a phase. Default: the simple name of the class. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Returns the phase in which the filter runs. */
    FilterPhase phase();

    /**
     * Returns the order within the phase: lower runs first. Filters of equal order run in the order of the list that contains
     * them; before them run filters that are in no list, in the order of their names.
     */
    default int order() {
        return 0;
    }

    /**
     * Returns whether the filter runs for {@code exchange}. The gateway calls it on the event loop before every run, so it must
     * not block. An exception counts as a failure of the filter.
     */
    default boolean applies(FilterExchange exchange) {
        return true;
    }

    /**
     * Returns the timeout of one run of an asynchronous or blocking filter, more than zero. The deadline of the exchange also
     * ends a run.
     */
    default Duration timeout() {
        return DEFAULT_TIMEOUT;
    }

    /** Returns what a failure causes. Default: fail closed for inbound and endpoint filters, fail open for the others. */
    default FailurePolicy onFailure() {
        FilterPhase phase = phase();
        return phase == FilterPhase.INBOUND || phase == FilterPhase.ENDPOINT
                ? FailurePolicy.FAIL_CLOSED
                : FailurePolicy.FAIL_OPEN;
    }

    /** Returns the bounds of the filter. Default: the bounds of {@code filters.budget}. */
    default FilterBudget budget() {
        return FilterBudget.INHERITED;
    }

    /**
     * Returns whether the gateway may run a synchronous filter on virtual threads after it has waited on an event loop. Default:
     * yes. A filter that depends on the thread of its exchange returns false; its strikes can then eject it.
     */
    default boolean offload() {
        return true;
    }

    /** Returns whether the filter needs the complete body in memory before it runs. Default: no. */
    default BodyNeed body() {
        return BodyNeed.NONE;
    }

    /**
     * Returns whether the filter needs the complete body of this exchange; without it, the body streams. Called on the event loop
     * after {@link #applies}, if {@link #body} declares a need; it must not block. An exception counts as a failure of the filter.
     */
    default boolean needsBody(FilterExchange exchange) {
        return true;
    }

    /** Returns whether the filter reads {@link FilterExchange#getOriginalRequest}. Default: no. */
    default boolean needsOriginalRequest() {
        return false;
    }

    /**
     * Returns the class that contains the author's code; it and its nested classes identify the filter in stack traces.
     * Default: the class of the filter. A filter that runs code of another class, such as the closures of a script, returns that
     * class.
     */
    default Class<?> definedIn() {
        return getClass();
    }

    /**
     * Checks whether the filter can work. Called once, before its generation becomes active, not on an event loop; it may block.
     *
     * @throws Exception if the filter cannot work; the whole generation is then refused
     */
    default void selfCheck() throws Exception {}

    /**
     * Prepares the filter: the place to obtain state that survives generations, caches and instruments. Called once, after the
     * constructor and before {@link #selfCheck}, on the thread that builds the generation and within its time limit.
     *
     * <p>The gateway calls it for filters of the filter directory and of extensions. A filter that the embedding program registers belongs to the
     * program.
     *
     * @throws Exception if the filter cannot work; the whole generation is then refused
     */
    default void onLoad(FilterServices services) throws Exception {}

    /**
     * Releases what the filter has opened. Called once for each filter with {@link #onLoad}, when the last exchange of its
     * generation has ended, or when the generation is refused; not on an event loop. A filter that is {@link AutoCloseable} is
     * closed after that.
     */
    default void onUnload() throws Exception {}
}
