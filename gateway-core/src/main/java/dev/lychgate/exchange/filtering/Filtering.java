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
 * The filters' part in one exchange: their choices, and the passage of both bodies. By default all bytes pass unchanged;
 * {@link FilteredExchange} holds and changes bodies as filters require. Used on the exchange's event loop.
 */
public interface Filtering {
    /** The filtering of exchanges that no filter runs over. */
    Filtering NONE = new Filtering() {};

    /** Returns whether filters have run: the exchange may have waited for them. */
    default boolean isActive() {
        return false;
    }

    /** Runs {@code chain}; its result may be reported to the {@link FilterHost} before this returns. */
    default void run(FilterStage stage, FilterSlot[] chain) {
        throw new IllegalStateException("a chain without filters runs in stage " + stage);
    }

    /** The response is about to be committed: adds the trace of filters to its head if the request contains the secret. */
    default void traceInto(ResponseHead head) {}

    /** The exchange fails: pending filters are cancelled. */
    default void cancel() {}

    /** The exchange is over: bodies are released, filters can no longer reach it. */
    default void close() {}

    /** The exchange has ended, and its record is complete: runs the actions that filters have registered. */
    default void completed() {}

    /** Returns the value that filters keep under {@code key}; null if they keep none. */
    default <T> @Nullable T attribute(AttributeKey<T> key) {
        return null;
    }

    // ---- choices

    /** Returns the route that filters have chosen since the last call; null if they leave it to the route table. */
    default @Nullable Route takeRoute() {
        return null;
    }

    /** Returns the endpoint filters that may run: the one that filters have chosen, otherwise the filters of the route. */
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

    // ---- the request's body

    /** Offers a chunk to a filter of the request that awaits it. @return whether it was accepted; if so, it is owned here */
    default boolean takeRequestChunk(ByteBuf chunk) {
        return false;
    }

    /** Offers the end of the request to a filter that awaits it. @return whether it was accepted */
    default boolean takeRequestEnd(HttpHeaders trailers) {
        return false;
    }

    /** Adapts the framing of the head to the body after filters. @return the failure of a transform; null if there is none */
    default @Nullable GatewayError frameRequest(RequestHead head) {
        return null;
    }

    /** Sends the body and its end if the whole body is held; may be repeated. @return false if the body streams */
    default boolean sendWholeRequest(BodySink to) {
        return false;
    }

    /** Returns whether the whole body is held and can be sent again. */
    default boolean holdsWholeRequest() {
        return false;
    }

    /** Returns whether {@link #sendWholeRequest} has sent the end of the request, regardless of later chunks. */
    default boolean isRequestSent() {
        return false;
    }

    /** Passes a chunk on, which it owns. @return false if the exchange has failed by that */
    default boolean relayRequest(ByteBuf chunk, BodySink to) {
        to.sendBody(chunk);
        return true;
    }

    /** Returns whether the filters accept more of the request: if not, the client is not read. */
    default boolean acceptsRequest() {
        return true;
    }

    /** Sends held chunks of the request body. @return false if the exchange has failed, or if chunks are still held */
    default boolean relayHeldRequest(BodySink to) {
        return true;
    }

    /** Returns whether a part of the body is held that could not be sent before. */
    default boolean hasUnsentRequest() {
        return false;
    }

    /** Ends the request, unless a part of its body is held. @return whether it has ended */
    default boolean endRequest(HttpHeaders trailers, BodySink to) {
        to.sendEnd(trailers);
        return true;
    }

    // ---- the response's body

    /** Offers a chunk that arrives while outbound filters run. @return whether it was accepted; if so, it is owned here */
    default boolean takeResponseChunk(ByteBuf chunk) {
        return false;
    }

    /** Offers the end of a response that arrives while outbound filters run. @return whether it was accepted */
    default boolean takeResponseEnd(HttpHeaders trailers) {
        return false;
    }

    /** Holds the whole body of a response of the gateway. @return false if it does not, and the body remains the caller's */
    default boolean holdLocalResponse(ByteBuf body) {
        return false;
    }

    /** The response is discarded, and its body. */
    default void dropResponse() {}

    /**
     * Adapts the framing of the head to the body after filters, for this client.
     *
     * @param toHead whether the client sent a HEAD
     * @param unseen whether the origin received a HEAD
     * @return the failure of a transform; null if there is none
     */
    default @Nullable GatewayError frameResponse(ResponseHead head, boolean toHead, boolean unseen) {
        if (head.status() == 205) {
            ResponseFraming.replaced(head, 0, toHead);
        }
        return null;
    }

    /** Sends the held bytes of the body, once the head is written. */
    default Delivery deliver(ResponseHead head, BodySink to) {
        return Delivery.NOT_HELD;
    }

    /** Sends the held bytes of a tunnel. @return whether the tunnel has ended within them */
    default boolean deliverTunnel(Consumer<ByteBuf> to) {
        return false;
    }

    /** Passes a chunk on, which it owns. @return false if the exchange has failed by that */
    default boolean relayResponse(ByteBuf chunk, BodySink to) {
        to.sendBody(chunk);
        return true;
    }

    /** Returns whether the filters accept more of the response: if not, the origin is not read. */
    default boolean acceptsResponse() {
        return true;
    }

    /** Ends the response, as soon as all that is held has been sent. */
    default void endResponse(ResponseHead head, HttpHeaders trailers, BodySink to) {
        to.sendEnd(trailers);
    }

    /** One read from the origin is complete: transforms pass on what clients may be waiting for. */
    default void flushResponse(ResponseHead head, BodySink to) {}

    /** Sends held bytes, since the client is writable. @return whether reading from the origin may resume */
    default boolean relayHeldResponse(ResponseHead head, BodySink to) {
        return true;
    }

    /** The results of {@link #deliver}. */
    enum Delivery {
        /** Filters hold no part of the body: it passes as it arrives. */
        NOT_HELD,
        /** Held bytes are sent, and more will arrive. */
        READ_ON,
        /** The whole body was held, or the exchange has failed. */
        DONE
    }
}
