package com.netflix.zuul.message;

import com.netflix.zuul.context.SessionContext;
import io.netty.handler.codec.http.HttpContent;
import org.jspecify.annotations.Nullable;
import rx.Observable;

/** A request or a response. Used by one filter at a time. */
public interface ZuulMessage extends Cloneable {
    SessionContext getContext();

    Headers getHeaders();

    void setHeaders(Headers headers);

    boolean hasBody();

    void setHasBody(boolean hasBody);

    /**
     * Returns the body; null if the message has none.
     *
     * @throws IllegalStateException if the gateway has not buffered the body for the filter
     */
    byte @Nullable [] getBody();

    /** Returns the length of the body; 0 if the message has none. */
    int getBodyLength();

    void setBody(byte[] body);

    /** Sets the body in UTF-8. */
    void setBodyAsText(String text);

    /** Returns the body in UTF-8; null if the message has none. */
    @Nullable
    String getBodyAsText();

    /** Returns the body as one chunk. */
    Iterable<HttpContent> getBodyContents();

    /** Appends a chunk to the body, and releases the chunk. */
    void bufferBodyContents(HttpContent chunk);

    /** Returns whether the whole body is in memory. */
    boolean hasCompleteBody();

    /**
     * Completes a body that {@link #bufferBodyContents} has begun.
     *
     * @return whether the body was incomplete
     */
    boolean finishBufferedBodyIfIncomplete();

    /** Removes the body. */
    void disposeBufferedBody();

    /** Emits the body as soon as it is complete. The gateway buffers the complete body before it runs the filter. */
    Observable<byte[]> bufferBody();

    int getMaxBodySize();

    ZuulMessage clone();

    /** Returns the first line of the message. */
    String getInfoForLogging();
}
