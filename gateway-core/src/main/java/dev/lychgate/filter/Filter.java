package dev.lychgate.filter;

import dev.lychgate.config.FilterBudget;
import java.time.Duration;

/**
 * Processes exchanges. A class declares the phase and the form of the filter by the interfaces that it implements:
 *
 * <ul>
 *   <li>phase: {@link InboundFilter}, {@link EndpointFilter}, {@link OutboundFilter} or {@link ErrorFilter}
 *   <li>form: {@link SyncFilter}, {@link AsyncFilter} or {@link BlockingFilter}
 * </ul>
 *
 * <p>One object serves all event loops concurrently, so its fields must not hold state of an exchange. State of an
 * exchange is stored on the exchange, see {@link FilterExchange#set}.
 *
 * <p>The gateway calls {@link #name}, {@link #phase} and the other methods that describe the filter once, when it
 * builds a generation.
 */
public interface Filter {
    /** The default of {@link #timeout()}. */
    Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /**
     * Returns the name of this filter in logs, metrics and the configuration. Names are unique within a phase. Default:
     * the simple name of the class.
     */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Returns the phase in which this filter runs. */
    FilterPhase phase();

    /**
     * Returns the order within the phase: filters with a lower number run first. Among filters with the same number,
     * filters that are in no list of the configuration run first, sorted by name. The others follow in the order of
     * their list.
     */
    default int order() {
        return 0;
    }

    /**
     * Returns whether this filter runs for {@code exchange}. The gateway calls this method on the event loop before
     * every run, so it must not block. An exception counts as a failure of the filter.
     */
    default boolean applies(FilterExchange exchange) {
        return true;
    }

    /**
     * Returns whether this inbound filter responds to all CORS preflights to which it {@linkplain #applies}. Browsers
     * send preflights without credentials. The gateway therefore runs this filter before the authentication and the
     * authorization of a preflight.
     */
    default boolean respondsToPreflights() {
        return false;
    }

    /**
     * Returns the timeout of one run of an asynchronous or blocking filter. The timeout must be longer than zero. The
     * deadline of the exchange also ends a run.
     */
    default Duration timeout() {
        return DEFAULT_TIMEOUT;
    }

    /**
     * Returns the effect of a failure of this filter. Default: inbound and endpoint filters fail closed; error and
     * outbound filters fail open.
     */
    default FailurePolicy onFailure() {
        FilterPhase phase = phase();
        return phase == FilterPhase.INBOUND || phase == FilterPhase.ENDPOINT
                ? FailurePolicy.FAIL_CLOSED
                : FailurePolicy.FAIL_OPEN;
    }

    /** Returns the limits on the resources that this filter uses. Default: the limits of {@code filters.budget}. */
    default FilterBudget budget() {
        return FilterBudget.INHERITED;
    }

    /**
     * Returns whether the gateway may run a synchronous filter on virtual threads after the filter has blocked an event
     * loop. Default: yes. A filter that must run on the event loop of its exchange returns false. The gateway ejects
     * such a filter if it repeatedly blocks event loops.
     */
    default boolean offload() {
        return true;
    }

    /** Returns the part of the body that must be in memory before the filter runs. Default: none. */
    default BodyNeed body() {
        return BodyNeed.NONE;
    }

    /**
     * Returns whether this filter needs the complete body of this exchange. If this method returns false, the body
     * streams. The gateway calls this method on the event loop, after {@link #applies}, if {@link #body} declares a
     * need. The method must not block. An exception counts as a failure of the filter.
     */
    default boolean needsBody(FilterExchange exchange) {
        return true;
    }

    /** Returns whether the filter reads {@link FilterExchange#getOriginalRequest}. Default: no. */
    default boolean needsOriginalRequest() {
        return false;
    }

    /**
     * Returns the class that contains the author's code. This class and its nested classes identify the filter in stack
     * traces. Default: the class of the filter. A filter that runs code of another class, such as the closures of a
     * script, returns that other class.
     */
    default Class<?> definedIn() {
        return getClass();
    }

    /**
     * Returns a description that {@code lychgate explain} shows for authorizers: the rule or the service that makes the
     * decision of this filter. Default: empty.
     */
    default String remark() {
        return "";
    }

    /**
     * Checks whether this filter can work. Called once, before the generation that contains the filter becomes active.
     * The call is not on an event loop, so this method may block.
     *
     * @throws Exception if the filter cannot work; in this case, the whole generation is refused
     */
    default void selfCheck() throws Exception {}

    /**
     * Prepares this filter: obtains caches, instruments, and state that outlives generations. Called for filters of the
     * filter directory and of extensions, but not for filters that the embedding program registers.
     *
     * <p>Called once, after the constructor and before {@link #selfCheck}, on the thread that builds the generation and
     * within the time limit of the build.
     *
     * @throws Exception if the filter cannot work; in this case, the whole generation is refused
     */
    default void onLoad(FilterServices services) throws Exception {}

    /**
     * Releases the resources that this filter has opened. Called once, if {@link #onLoad} was called: after the last
     * exchange of the filter's generation has ended, or when the generation is refused. The call is not on an event
     * loop. A filter that is {@link AutoCloseable} is closed after this call.
     */
    default void onUnload() throws Exception {}
}
