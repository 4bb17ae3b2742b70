package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.BodySink;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The interface between one exchange and its filters: runs the filters, exposes their choices, and passes the request
 * body and the response body through them. The default methods pass all bytes unchanged. {@link FilteredExchange}
 * implements the interface for exchanges with filters, which may hold and change bodies. Used on the exchange's event
 * loop.
 */
public interface Filtering {
    /** The filtering of exchanges without filters. */
    Filtering NONE = new Filtering() {};

    /** Returns whether filters have run, so that the exchange may have waited for filters. */
    default boolean isActive() {
        return false;
    }

    /** Runs {@code chain}. The result may be reported to the {@link FilterHost} before this method returns. */
    default void run(FilterStage stage, FilterSlot[] chain) {
        throw new IllegalStateException("an exchange without filters can't run a chain in stage " + stage);
    }

    /**
     * Adds the response headers that inbound filters have set, and the filter trace if the request contained the secret
     * for traces. Called before the response is committed.
     */
    default void completeResponse(ResponseHead head) {}

    /** Cancels pending filters, because the exchange fails. */
    default void cancel() {}

    /** Releases bodies and ends the access of filters to the exchange. Called at the end of the exchange. */
    default void close() {}

    /**
     * Runs the actions that filters have registered for the end of the exchange. Called when the record of the exchange
     * is complete.
     */
    default void completed() {}

    /** Returns the value that filters have stored under {@code key}; null if there is none. */
    default <T> @Nullable T attribute(AttributeKey<T> key) {
        return null;
    }

    // ---- choices

    /** Returns the route that filters have chosen since the last call; null if filters have not chosen a route. */
    default @Nullable Route takeRoute() {
        return null;
    }

    /**
     * Returns the endpoint filters that may run: the endpoint filter that filters have chosen, or else all endpoint
     * filters of the route.
     */
    default FilterSlot[] endpointFilters(FilterSlot[] ofRoute) {
        return ofRoute;
    }

    /**
     * Returns the target of the request, which filters may have changed.
     *
     * @param target the target of the route; null if the route responds itself
     * @return null if the route responds itself and no filter has chosen an upstream
     */
    default @Nullable ProxyTarget target(Route route, @Nullable ProxyTarget target) {
        return target;
    }

    // ---- the request body

    /**
     * Offers a chunk of the request body to a filter that waits for the whole body.
     *
     * @return whether the chunk was accepted; if true, this object owns the chunk
     */
    default boolean takeRequestChunk(ByteBuf chunk) {
        return false;
    }

    /**
     * Offers the end of the request to a filter that waits for the whole body.
     *
     * @return whether the end was accepted
     */
    default boolean takeRequestEnd(HttpHeaders trailers) {
        return false;
    }

    /**
     * Adapts the framing in the request head to the filtered body.
     *
     * @return the error if a transform has failed; otherwise null
     */
    default @Nullable GatewayError frameRequest(RequestHead head) {
        return null;
    }

    /**
     * Sends the body and its end if the whole body is held. May be called for several attempts.
     *
     * @return false if the whole body is not held, so that nothing was sent
     */
    default boolean sendWholeRequest(BodySink to) {
        return false;
    }

    /** Returns whether the whole body is held and can be sent again. */
    default boolean holdsWholeRequest() {
        return false;
    }

    /** Returns whether filters have sent the end of the request, so that later chunks from the client are ignored. */
    default boolean isRequestSent() {
        return false;
    }

    /**
     * Passes a chunk of the request body through the filters to {@code to}. This method owns {@code chunk}.
     *
     * @return false if the exchange has failed during this call
     */
    default boolean relayRequest(ByteBuf chunk, BodySink to) {
        to.sendBody(chunk);
        return true;
    }

    /**
     * Returns whether the filters accept more of the request body. If the result is false, reading from the client is
     * paused.
     */
    default boolean acceptsRequest() {
        return true;
    }

    /**
     * Sends held chunks of the request body.
     *
     * @return false if the exchange has failed or chunks are still held
     */
    default boolean relayHeldRequest(BodySink to) {
        return true;
    }

    /** Returns whether parts of the request body are held and must still be sent. */
    default boolean hasUnsentRequest() {
        return false;
    }

    /**
     * Ends the request, unless parts of its body are still held.
     *
     * @return whether the request has ended
     */
    default boolean endRequest(HttpHeaders trailers, BodySink to) {
        to.sendEnd(trailers);
        return true;
    }

    // ---- the response body

    /**
     * Offers a chunk of the response body that may arrive while outbound filters run.
     *
     * @return whether the chunk was accepted; if true, this object owns the chunk
     */
    default boolean takeResponseChunk(ByteBuf chunk) {
        return false;
    }

    /**
     * Offers the end of the response, which may arrive while outbound filters run.
     *
     * @return whether the end was accepted
     */
    default boolean takeResponseEnd(HttpHeaders trailers) {
        return false;
    }

    /**
     * Holds the whole body of a response that the gateway has created.
     *
     * @return whether this object holds and owns the body; if false, the caller still owns the body
     */
    default boolean holdLocalResponse(ByteBuf body) {
        return false;
    }

    /** Discards the held body, because the response is discarded. */
    default void dropResponse() {}

    /**
     * Adapts the framing in the response head to the filtered body and to the client's method.
     *
     * @param toHead whether the client sent a HEAD request
     * @param unseen whether the origin received a HEAD request and therefore sent no body
     * @return the error if a transform has failed; otherwise null
     */
    default @Nullable GatewayError frameResponse(ResponseHead head, boolean toHead, boolean unseen) {
        if (head.status() == 205) {
            ResponseFraming.replaced(head, 0, toHead);
        }
        return null;
    }

    /** Sends the held bytes of the response body. Called after the head is written. */
    default Delivery deliver(ResponseHead head, BodySink to) {
        return Delivery.NOT_HELD;
    }

    /**
     * Sends the held bytes of a tunnel.
     *
     * @return whether the tunnel has ended after these bytes
     */
    default boolean deliverTunnel(Consumer<ByteBuf> to) {
        return false;
    }

    /**
     * Passes a chunk of the response body through the filters to {@code to}. This method owns {@code chunk}.
     *
     * @return false if the exchange has failed during this call
     */
    default boolean relayResponse(ByteBuf chunk, BodySink to) {
        to.sendBody(chunk);
        return true;
    }

    /**
     * Returns whether the filters accept more of the response body. If the result is false, reading from the origin is
     * paused.
     */
    default boolean acceptsResponse() {
        return true;
    }

    /** Ends the response after all held bytes have been sent. */
    default void endResponse(ResponseHead head, HttpHeaders trailers, BodySink to) {
        to.sendEnd(trailers);
    }

    /**
     * Sends bytes that transforms have buffered, because the client may be waiting for them. Called after each read
     * from the origin.
     */
    default void flushResponse(ResponseHead head, BodySink to) {}

    /**
     * Sends held bytes, because the client is writable.
     *
     * @return whether reading from the origin may resume
     */
    default boolean relayHeldResponse(ResponseHead head, BodySink to) {
        return true;
    }

    /** The results of {@link #deliver}. */
    enum Delivery {
        /** Filters do not hold the body, so the body is relayed as it arrives. */
        NOT_HELD,
        /** Held bytes have been sent, and the rest of the body must be read. */
        READ_ON,
        /** Nothing remains for the caller: the whole body was held, or the exchange has failed. */
        DONE
    }
}
