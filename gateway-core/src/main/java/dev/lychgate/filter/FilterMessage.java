package dev.lychgate.filter;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A request or a response, as filters see it: headers and body. */
public interface FilterMessage {
    /** The default limit for a line, an event or a JSON value, in bytes. */
    int DEFAULT_MAX_ITEM = 64 << 10;

    /** Returns the headers. Changes to the headers change the message. */
    Headers getHeaders();

    /**
     * Returns the media type of {@code Content-Type} in lower case and without parameters, such as {@code text/html};
     * null if the message has no media type, a malformed media type, or several different media types.
     */
    default @Nullable String getMediaType() {
        return MediaType.of(getHeaders().getAll("content-type"));
    }

    /**
     * Returns a copy of the complete body, which may be empty. The filter must declare that it needs the body, see
     * {@link Filter#body()}.
     *
     * @throws IllegalStateException if the filter does not declare that it needs the body
     */
    byte[] getBody();

    /** Returns {@link #getBody()} decoded as UTF-8. */
    default String getText() {
        return new String(getBody(), StandardCharsets.UTF_8);
    }

    /**
     * Replaces the body. The gateway sets the length, removes Content-Encoding and the digests of the previous body,
     * and makes an ETag weak.
     */
    void setBody(byte[] body);

    /** Replaces the body with a text in UTF-8. */
    default void setText(String text) {
        setBody(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses the complete body as JSON and returns the same types as {@link CallResponse#getJson}. Each call parses the
     * body again. Changes to the result have no effect until the result is passed to {@link #setJson}. Returns null for
     * a response with an empty body, such as the response to a HEAD request or a 304 response.
     *
     * @throws BodyRefusal if the body of the request is not JSON in UTF-8 or has a content coding; the client gets 400
     * @throws IllegalStateException if the body of the response is not JSON in UTF-8 or has a content coding. Also
     *     thrown if the filter does not declare that it needs the body
     */
    @Nullable
    Object getJson();

    /**
     * Replaces the body with {@code value} as JSON: maps, iterables, arrays, numbers, booleans and null; objects of
     * other types become strings. Sets Content-Type to application/json, unless Content-Type is already a JSON type.
     */
    void setJson(@Nullable Object value);

    /**
     * Transforms the body while it streams. Unless the transform {@linkplain BodyTransform#changes() changes nothing},
     * the body is sent without a declared length. Several transforms apply in the order in which they were added.
     */
    void transformBody(BodyTransform transform);

    /** Calls {@link #eachEvent(int, Consumer)} with a limit of {@link #DEFAULT_MAX_ITEM} bytes. */
    default void eachEvent(Consumer<? super ServerSentEvent> action) {
        eachEvent(DEFAULT_MAX_ITEM, action);
    }

    /**
     * Calls {@code action} for each server-sent event of the body, on the event loop while the body streams. The action
     * may change or drop the event, and insert additional events. Each event is forwarded as soon as its last byte has
     * been read. Comments and events without data are forwarded without a call. The action must not block and cannot
     * use the exchange. An exception aborts the exchange.
     *
     * @param max the maximum length of an event, in bytes. A request with a longer event is rejected with 413. In a
     *     response, a longer event is a failure of the filter and aborts the exchange
     * @throws IllegalStateException if the response cannot be read: it has a content coding, is partial, or is not in
     *     UTF-8
     * @throws BodyRefusal if the request cannot be read; the client gets 400
     */
    void eachEvent(int max, Consumer<? super ServerSentEvent> action);

    /** Calls {@link #eachLine(int, Consumer)} with a limit of {@link #DEFAULT_MAX_ITEM} bytes. */
    default void eachLine(Consumer<? super TextLine> action) {
        eachLine(DEFAULT_MAX_ITEM, action);
    }

    /**
     * Calls {@code action} for each line of the body, under the rules of {@link #eachEvent(int, Consumer)}. A line ends
     * with CR, LF or CRLF.
     */
    void eachLine(int max, Consumer<? super TextLine> action);

    /** Calls {@link #eachJson(int, Consumer)} with a limit of {@link #DEFAULT_MAX_ITEM} bytes. */
    default void eachJson(Consumer<? super JsonItem> action) {
        eachJson(DEFAULT_MAX_ITEM, action);
    }

    /**
     * Calls {@code action} for each JSON value of the body, under the rules of {@link #eachEvent(int, Consumer)}. A
     * request with malformed JSON is rejected with 400. In a response, malformed JSON is a failure of the filter and
     * aborts the exchange. Content-Type determines the values:
     *
     * <ul>
     *   <li>application/json or a type that ends with {@code +json}: the elements of the body if it is an array,
     *       otherwise the body itself
     *   <li>other types, such as application/x-ndjson: each line; blank lines are forwarded without a call
     * </ul>
     */
    void eachJson(int max, Consumer<? super JsonItem> action);

    /**
     * Replaces the received body with the body that a publisher emits. The body is sent without a declared length.
     *
     * <p>This method calls the operator immediately. The argument of the operator is a publisher of the received
     * chunks, after the changes of earlier filters. The result is the publisher of the body to send. The gateway
     * subscribes to it once, when the head of the message is sent, or never if the message has no body. Transforms that
     * other filters add later receive the emitted body.
     *
     * <p>Both publishers have backpressure. The gateway requests one item whenever the receiver accepts more, and reads
     * from the sender only while the subscriber requests received chunks. Received chunks are emitted on the event
     * loop, where subscribers must not block. The returned publisher may emit on any thread. The arrays that it emits
     * belong to the gateway.
     *
     * <p>When the returned publisher completes, the body ends, even if the received body has not ended. If the returned
     * publisher fails, the exchange fails, even if the filter fails open; a {@link BodyRefusal} determines the error of
     * the exchange. If the exchange ends before the publisher, the gateway cancels the subscription. A retry sends the
     * items that were already emitted, and then continues with the same subscription.
     *
     * @throws IllegalStateException if a transform was added to this body after an earlier call of this method
     */
    void mapBody(UnaryOperator<Flow.Publisher<byte[]>> operator);

    /**
     * Calls {@code action} with the trailers of the message, after the end of its body and before the trailers are
     * sent. The action may read, change and add trailers. It runs on the event loop, must not block, and cannot use the
     * exchange. It runs once, even if the request is sent again.
     *
     * <p>The body is sent without a declared length, so that the message can have trailers. HTTP/1.0 clients receive no
     * trailers. A gRPC response without messages has its status in the header section: the action is called immediately
     * with these header fields. For other messages without a body, and after an abort, the action is not called. If the
     * action throws an exception and the filter fails closed, the exchange fails.
     */
    void onTrailers(Consumer<? super Trailers> action);
}
