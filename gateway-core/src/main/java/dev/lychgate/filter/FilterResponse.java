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
     * Adds a Set-Cookie field.
     *
     * @param attributes what follows name and value, as {@code Path=/; HttpOnly}; may be empty
     * @throws IllegalArgumentException if one of them can't be sent
     */
    void addCookie(String name, String value, String attributes);
}
