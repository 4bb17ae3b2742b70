package dev.lychgate.filter;

/**
 * The answer, as outbound filters see and change it, before anything of it has been sent. Has the accessors that Groovy
 * takes for properties: {@code response.status = 404}.
 */
public interface FilterResponse {
    int getStatus();

    /** @param status 200 to 599; with 204 and 304 the body is thrown away. @throws IllegalArgumentException if it is not */
    void setStatus(int status);

    Headers getHeaders();

    /**
     * Adds a Set-Cookie field.
     *
     * @param attributes what follows name and value, as {@code Path=/; HttpOnly}; may be empty
     * @throws IllegalArgumentException if one of them can't be sent
     */
    void addCookie(String name, String value, String attributes);

    /**
     * The whole body, for a filter that has asked for it ({@link Filter#body()}); it may be empty.
     *
     * @throws IllegalStateException if the filter has not
     */
    byte[] getBody();

    /** {@link #getBody()} as UTF-8. */
    String getText();

    /**
     * Replaces the body. Its length is seen to by the gateway; a Content-Encoding, and digests of what was there before,
     * are removed, and an ETag becomes a weak one, as they would not be true any more.
     */
    void setBody(byte[] body);

    /** Replaces the body by {@code text} in UTF-8. */
    void setText(String text);

    /**
     * Lets {@code transform} have the body as it passes. Its length is not known then, so it goes on in chunks. Of several,
     * the first to be set comes first.
     */
    void transformBody(BodyTransform transform);
}
