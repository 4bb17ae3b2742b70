package dev.lychgate.filter;

import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The response, as outbound filters see and change it before any part of it is sent. Getters and setters are properties in
 * Groovy: {@code response.status = 404}.
 */
public interface FilterResponse extends FilterMessage {
    /** Returns the status, 200 to 599; 101 for a WebSocket. */
    int getStatus();

    /** Sets the status. @param status 200 to 599; 204 and 304 discard the body. @throws IllegalArgumentException if out of range */
    void setStatus(int status);

    /**
     * Returns the declared length of the received body in bytes; -1 if none is declared. In a response to HEAD it is the length
     * that the body of a GET would have. The gateway writes Content-Length, so {@link #getHeaders()} cannot set it.
     */
    default long getContentLength() {
        return -1;
    }

    /**
     * Adds a Set-Cookie header.
     *
     * @param attributes follow name and value, such as {@code Path=/; HttpOnly}; may be empty
     * @throws IllegalArgumentException if one of the parameters is malformed
     */
    void addCookie(String name, String value, String attributes);

    /** Adds a cookie without attributes. @return the cookie, to which attributes may be added */
    ResponseCookie addCookie(String name, String value);

    /** Returns all cookies, of all Set-Cookie headers that have a name, in order. Changes of them change the response. */
    List<ResponseCookie> getCookies();

    /** Returns the first cookie of that name; null if there is none. */
    @Nullable
    ResponseCookie cookie(String name);

    /** Removes the Set-Cookie headers of that name. */
    void removeCookie(String name);

    /**
     * Calls {@code action} with the trailers of the response, after its body and before they are sent, on the event loop. The
     * action may read, change and add trailers; it must not block and cannot use the exchange. The length of the body becomes
     * unknown, so that the response can have trailers. Clients of HTTP/1.0 receive none.
     *
     * <p>A gRPC response without messages has its status in the header section. The action is then called at once with those
     * fields. It is not called for other responses without a body, nor if the exchange is aborted. An exception is a failure of
     * the filter: if the filter fails closed, the exchange is aborted.
     */
    void onTrailers(Consumer<? super Trailers> action);

    /**
     * Sends the body that a publisher emits instead of the received one. The operator is called at once with the publisher of the
     * received chunks, as the filters before have left them, and returns the publisher of the body to send. The gateway subscribes
     * once, when the head of the response is sent, and not if the response has no body. Transforms that other filters add later
     * see the emitted body.
     *
     * <p>Both publishers have backpressure: the gateway requests one item whenever the client accepts more, and reads from the
     * origin while the received chunks are requested. Received chunks are emitted on the event loop, where subscribers must not
     * block; items may be emitted on any thread. An emitted array belongs to the gateway.
     *
     * <p>Completion ends the body, even before the received one ends. An error is a failure of the filter and aborts the exchange;
     * a {@link BodyRefusal} sets its error. If the exchange ends earlier, the gateway cancels the subscription.
     *
     * @throws IllegalStateException if a transform was added after the previous operator
     */
    void mapBody(UnaryOperator<Flow.Publisher<byte[]>> operator);
}
