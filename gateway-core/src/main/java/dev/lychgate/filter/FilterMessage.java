package dev.lychgate.filter;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A request or a response, as filters see it: headers and body. */
public interface FilterMessage {
    /** The most bytes of a line, an event or a JSON value if none are set. */
    int DEFAULT_MAX_ITEM = 64 << 10;

    /** Returns the headers; changes of them change the message. */
    Headers getHeaders();

    /**
     * Returns the media type of {@code Content-Type} in lower case and without parameters, such as {@code text/html}; null if the
     * message has none, a malformed one, or several that differ.
     */
    default @Nullable String getMediaType() {
        return MediaType.of(getHeaders().getAll("content-type"));
    }

    /**
     * Returns a copy of the complete body, for a filter that needs it ({@link Filter#body()}); it may be empty.
     *
     * @throws IllegalStateException if the filter does not declare that need
     */
    byte[] getBody();

    /** Returns {@link #getBody()} decoded as UTF-8. */
    default String getText() {
        return new String(getBody(), StandardCharsets.UTF_8);
    }

    /**
     * Replaces the body. The gateway sets the length, removes Content-Encoding and digests of the previous body, and makes an
     * ETag weak.
     */
    void setBody(byte[] body);

    /** Replaces the body by a text in UTF-8. */
    default void setText(String text) {
        setBody(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the complete body, read as JSON, as {@link CallResponse#getJson}. Each call reads it again; changes of the result
     * take effect by {@link #setJson}.
     *
     * @throws BodyRefusal if the body of the request is not JSON in UTF-8 without a content coding; the client gets 400
     * @throws IllegalStateException if that applies to the response, or the filter does not declare the need for the body
     */
    @Nullable
    Object getJson();

    /**
     * Replaces the body by {@code value} as JSON: maps, iterables, arrays, numbers, booleans, null, and everything else as text. Sets
     * Content-Type to application/json, unless it is a JSON type already.
     */
    void setJson(@Nullable Object value);

    /**
     * Transforms the body while it streams. Unless the transform {@linkplain BodyTransform#changes() changes nothing}, the length
     * becomes unknown, and the body is sent chunked. Several transforms apply in the order in which they were added.
     */
    void transformBody(BodyTransform transform);

    /** As {@link #eachEvent(int, Consumer)} with events of at most {@link #DEFAULT_MAX_ITEM} bytes. */
    default void eachEvent(Consumer<? super ServerSentEvent> action) {
        eachEvent(DEFAULT_MAX_ITEM, action);
    }

    /**
     * Calls {@code action} for each server-sent event of the body, on the event loop while the body streams. The action may
     * change the event, drop it, and insert others. An event is passed on in the read that completes it. Comments and events
     * without data pass without a call. The action must not block and cannot use the exchange. An exception aborts the exchange.
     *
     * @param max most bytes of an event. A longer one in a request is rejected with 413; in a response it is a failure of the
     *     filter and aborts the exchange
     * @throws IllegalStateException if the response cannot be read: it has a content coding, is partial, or is not in UTF-8
     * @throws BodyRefusal if the request cannot be read; the client gets 400
     */
    void eachEvent(int max, Consumer<? super ServerSentEvent> action);

    /** As {@link #eachLine(int, Consumer)} with lines of at most {@link #DEFAULT_MAX_ITEM} bytes. */
    default void eachLine(Consumer<? super TextLine> action) {
        eachLine(DEFAULT_MAX_ITEM, action);
    }

    /** Calls {@code action} for each line of the body, as {@link #eachEvent(int, Consumer)}. CR, LF and CRLF end lines. */
    void eachLine(int max, Consumer<? super TextLine> action);

    /** As {@link #eachJson(int, Consumer)} with values of at most {@link #DEFAULT_MAX_ITEM} bytes. */
    default void eachJson(Consumer<? super JsonItem> action) {
        eachJson(DEFAULT_MAX_ITEM, action);
    }

    /**
     * Calls {@code action} for each JSON value of the body, as {@link #eachEvent(int, Consumer)}. With Content-Type
     * application/json or a type that ends with {@code +json}, these are the elements if the body is an array, or else the
     * body itself. With other types, such as application/x-ndjson, each line is a value; blank lines pass without a call.
     * Malformed JSON in a request is rejected with 400; in a response it is a failure of the filter and aborts the exchange.
     */
    void eachJson(int max, Consumer<? super JsonItem> action);

    /**
     * Sends the body that a publisher emits instead of the received one. The operator is called at once with the publisher of the
     * received chunks, as the filters before have left them, and returns the publisher of the body to send. The gateway subscribes
     * once, when the head of the message is sent, and not if the message has no body. Transforms that other filters add later
     * see the emitted body. The length of the body becomes unknown.
     *
     * <p>Both publishers have backpressure: the gateway requests one item whenever the receiver accepts more, and reads from the
     * sender while the received chunks are requested. Received chunks are emitted on the event loop, where subscribers must not
     * block; items may be emitted on any thread. An emitted array belongs to the gateway.
     *
     * <p>Completion ends the body, even before the received one ends. An error is a failure of the filter and fails the exchange,
     * whatever the policy of the filter; a {@link BodyRefusal} sets its error. If the exchange ends earlier, the gateway cancels the
     * subscription. A retry sends the emitted items again, and continues with the same subscription.
     *
     * @throws IllegalStateException if a transform was added after the previous operator
     */
    void mapBody(UnaryOperator<Flow.Publisher<byte[]>> operator);

    /**
     * Calls {@code action} with the trailers of the message, after its body and before they are sent, on the event loop. The
     * action may read, change and add trailers; it must not block and cannot use the exchange. It is called once, even if the
     * request is sent again. The length of the body becomes unknown, so that the message can have trailers. Clients of HTTP/1.0
     * receive none.
     *
     * <p>A gRPC response without messages has its status in the header section. The action is then called at once with those
     * fields. It is not called for other messages without a body, nor if the exchange is aborted. An exception is a failure of
     * the filter: if the filter fails closed, the exchange fails.
     */
    void onTrailers(Consumer<? super Trailers> action);
}
