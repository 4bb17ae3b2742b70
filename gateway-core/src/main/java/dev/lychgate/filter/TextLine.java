package dev.lychgate.filter;

/**
 * A line of a body, see {@link FilterMessage#eachLine}. An unchanged line is forwarded byte for byte. This object is
 * unusable after the action of {@code eachLine} has returned.
 */
public interface TextLine {
    /** Returns the text without its line break. */
    String getText();

    /**
     * Sets the text.
     *
     * @throws IllegalArgumentException if the text contains a line break
     */
    void setText(String text);

    /** Drops the line and its line break: the gateway forwards neither of them. */
    void drop();

    /**
     * Inserts a line before this line. Several calls insert their lines in the order of the calls.
     *
     * @throws IllegalArgumentException if the text contains a line break
     */
    void insertBefore(String text);

    /**
     * Inserts a line after this line. Several calls insert their lines in the order of the calls.
     *
     * @throws IllegalArgumentException if the text contains a line break
     */
    void insertAfter(String text);
}
