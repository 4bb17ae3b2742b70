package dev.lychgate.filter;

import java.nio.charset.StandardCharsets;

/** What requests and answers have in common for filters: fields, and a body. */
public interface FilterMessage {
    Headers getHeaders();

    /**
     * The whole body, for a filter that has asked for it ({@link Filter#body()}); it may be empty.
     *
     * @throws IllegalStateException if the filter has not
     */
    byte[] getBody();

    /** {@link #getBody()} as UTF-8. */
    default String getText() {
        return new String(getBody(), StandardCharsets.UTF_8);
    }

    /**
     * Replaces the body. Its length is seen to by the gateway; a Content-Encoding, and digests of what was there before,
     * are removed, and an ETag becomes a weak one, as they would not be true any more.
     */
    void setBody(byte[] body);

    /** Replaces the body by {@code text} in UTF-8. */
    default void setText(String text) {
        setBody(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Lets {@code transform} have the body as it passes. Unless it {@linkplain BodyTransform#changes() changes nothing}, the
     * length is not known then, and the body goes on in chunks. Of several, the first to be set comes first.
     */
    void transformBody(BodyTransform transform);
}
