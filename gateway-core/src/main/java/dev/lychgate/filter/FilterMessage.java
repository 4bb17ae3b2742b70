package dev.lychgate.filter;

import java.nio.charset.StandardCharsets;

/** A request or a response, as filters see it: headers and body. */
public interface FilterMessage {
    /** Returns the headers; changes of them change the message. */
    Headers getHeaders();

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
     * Transforms the body while it streams. Unless the transform {@linkplain BodyTransform#changes() changes nothing}, the length
     * becomes unknown, and the body is sent chunked. Several transforms apply in the order in which they were added.
     */
    void transformBody(BodyTransform transform);
}
