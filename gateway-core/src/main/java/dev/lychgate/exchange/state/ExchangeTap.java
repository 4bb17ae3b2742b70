package dev.lychgate.exchange.state;

import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Ingress;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of one exchange for a recording. Called on the exchange's event loop. Implementations must not
 * block or throw, and must not change or retain heads and buffers. The default methods ignore their events. The {@link
 * dev.lychgate.exchange.ExchangeObserver}, and not the tap, receives the end of the exchange.
 */
public interface ExchangeTap {
    /** Ignores all events, because the exchange is not recorded. */
    ExchangeTap NONE = new ExchangeTap() {};

    /** Selects the exchanges of one event loop that are recorded. */
    interface Source {
        /**
         * Called when the head of a request has arrived.
         *
         * @param client facts about the client's connection, for predicates
         * @return the receiver of the exchange's events; {@link #NONE} if the exchange is not recorded
         */
        ExchangeTap tap(ExchangeRecord exchange, Ingress client);
    }

    /**
     * Called before the first filter runs.
     *
     * @param head the request head as filters receive it
     */
    default void onRequest(RequestHead head) {}

    /** Called for each received chunk of the request body. */
    default void onRequestBody(ByteBuf chunk) {}

    /** Called when the origin's response is accepted, before outbound filters run. */
    default void onOrigin(ResponseHead head) {}

    /** Called for each chunk of the origin's response, before filters transform it. */
    default void onOriginBody(ByteBuf chunk) {}

    /** Called for each chunk of the response that is written to the client. */
    default void onResponseBody(ByteBuf chunk) {}

    /**
     * Called after each run of a filter.
     *
     * @param from the start of the run, in nanoseconds of the loop's clock
     * @param to the end of the run, in nanoseconds of the same clock
     * @param before the values that the filter may change, by name, before the run. Names of values other than header
     *     fields begin with a colon, such as {@code :route}
     * @param after the same values after the run
     */
    default void onFilter(
            FilterStage stage,
            String filter,
            long from,
            long to,
            FilterOutcome outcome,
            Map<String, String> before,
            Map<String, String> after) {}

    /** Called at the end of a call-out of a filter. */
    default void onCall(FinishedCall call) {}

    /**
     * A call-out that has ended.
     *
     * @param upstream the name of the upstream or origin
     * @param request the request without the fields that the gateway adds for each attempt
     * @param body the request body
     * @param response the head of the complete response; null if the call-out failed
     * @param content the response body; empty if the call-out failed
     * @param failure the label of the error; null for a complete response
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record FinishedCall(
            String upstream,
            RequestHead request,
            byte[] body,
            @Nullable ResponseHead response,
            byte[] content,
            @Nullable String failure) {}
}
