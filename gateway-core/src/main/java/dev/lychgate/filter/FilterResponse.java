package dev.lychgate.filter;

/**
 * The answer, as outbound filters see and change it, before anything of it has been sent. Has the accessors that Groovy
 * takes for properties: {@code response.status = 404}.
 */
public interface FilterResponse extends FilterMessage {
    int getStatus();

    /** @param status 200 to 599; with 204 and 304 the body is thrown away. @throws IllegalArgumentException if it is not */
    void setStatus(int status);

    /**
     * How long the body is that the answer came with, in bytes; -1 if it does not say. In the answer to a HEAD it is the
     * length that a GET's body would have. Content-Length itself is none of {@link #getHeaders()} to set: the gateway writes it.
     */
    default long getContentLength() {
        return -1;
    }

    /**
     * Adds a Set-Cookie field.
     *
     * @param attributes what follows name and value, as {@code Path=/; HttpOnly}; may be empty
     * @throws IllegalArgumentException if one of them can't be sent
     */
    void addCookie(String name, String value, String attributes);
}
