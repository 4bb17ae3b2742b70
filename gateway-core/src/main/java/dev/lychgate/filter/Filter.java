package dev.lychgate.filter;

import java.time.Duration;

/**
 * One step on the way of an exchange. A filter has a phase and a form; classes say both by the interfaces they implement:
 * the phase by {@link InboundFilter}, {@link EndpointFilter}, {@link OutboundFilter} or {@link ErrorFilter}, the form by
 * {@link SyncFilter}, {@link AsyncFilter} or {@link BlockingFilter}.
 *
 * <p>One object serves all event loops at once: it must not keep anything of one exchange in its fields. What belongs to
 * an exchange is kept on the exchange, see {@link FilterExchange#set}.
 *
 * <p>The settings below are asked for once, when a generation is built, and not again.
 */
public interface Filter {
    /** How long a filter may take if it does not say otherwise. */
    Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /** Names the filter in logs, metrics and configuration; unique within a phase. By default the simple name of its class. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** When it runs. */
    FilterPhase phase();

    /** Its place within the phase: lower runs first. Filters of equal order all run, in the order of their names. */
    default int order() {
        return 0;
    }

    /**
     * Whether the filter wants to see {@code exchange}. Called on the event loop, before every run: it must not block.
     * An exception counts as a failure of the filter.
     */
    default boolean applies(FilterExchange exchange) {
        return true;
    }

    /**
     * How long one run of an asynchronous or blocking filter may take; it also ends with the exchange's own deadline. More
     * than zero.
     */
    default Duration timeout() {
        return DEFAULT_TIMEOUT;
    }

    /** What happens if it fails: by default closed for inbound and endpoint filters, open for the others. */
    default FailurePolicy onFailure() {
        FilterPhase phase = phase();
        return phase == FilterPhase.INBOUND || phase == FilterPhase.ENDPOINT
                ? FailurePolicy.FAIL_CLOSED
                : FailurePolicy.FAIL_OPEN;
    }

    /** Whether it has to have a body whole, in memory, before it can run; by default not. */
    default BodyNeed body() {
        return BodyNeed.NONE;
    }

    /**
     * The class that the filter's own lines are in: by default its own. Whoever looks for a filter on a stack looks for this
     * class and for what is nested in it. One that runs code of others, as a script's closures, names theirs.
     */
    default Class<?> definedIn() {
        return getClass();
    }

    /**
     * Looks whether the filter can do its work: called once, before the generation that it belongs to takes over. May
     * block; not called on an event loop.
     *
     * @throws Exception if it can't; the whole generation is refused then
     */
    default void selfCheck() throws Exception {}
}
