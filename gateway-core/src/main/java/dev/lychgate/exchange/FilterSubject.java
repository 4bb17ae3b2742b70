package dev.lychgate.exchange;

import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterSlot;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What filters are run over: an exchange, or a test's stand-in for one. All that ends a run is told on the event loop, as
 * the last thing the run does.
 */
interface FilterSubject {
    // ---- what filters see and change

    /** The request; of what was not HTTP, a head that stands for it. */
    RequestHead requestHead();

    /** The answer, from when there is one. */
    @Nullable
    ResponseHead responseHead();

    @Nullable
    GatewayError error();

    String requestId();

    long generation();

    String listener();

    InetAddress clientAddress();

    @Nullable
    String route();

    /** Chooses the route. @throws IllegalArgumentException if there is none of that id */
    void route(String id, FilterStage during);

    @Nullable
    String upstream();

    /** Chooses the upstream. @throws IllegalArgumentException if there is none of that name */
    void upstream(String name);

    /** In nanoseconds. */
    void responseTimeout(long nanos);

    /** In nanoseconds. */
    void exchangeTimeout(long nanos);

    /** The body of the request, from now on in the hands of filters. */
    FilteredBody requestBody();

    /** The body of the answer, from now on in the hands of filters. */
    FilteredBody responseBody();

    // ---- what a run tells

    /** A filter needs the whole body: {@link FilterRun#onBody()} is to be told when it is there. */
    void awaitBody(FilterStage stage);

    /** A filter answers later: nothing may happen to the exchange meanwhile, but its end. */
    void onFilterWaits(FilterStage stage);

    /** All filters of the stage have run. */
    void onFiltered(FilterStage stage);

    /** A filter has answered. */
    void onFilterAnswer(FilterStage stage, FilterOutcome.Respond answer);

    /** A filter refuses, or has failed and fails closed. */
    void onFilterFailure(FilterStage stage, FilterSlot slot, GatewayError error);

    /** A run that had waited has done what could be done for now. */
    void onFilterResumed();
}
