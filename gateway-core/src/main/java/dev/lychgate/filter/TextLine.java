package dev.lychgate.filter;

/**
 * A line of a body, see {@link FilterMessage#eachLine}. An unchanged line is passed on byte for byte. Not usable after the action
 * has returned.
 */
public interface TextLine {
    /** Returns the text without its line break. */
    String getText();

    /** Sets the text. @throws IllegalArgumentException if it has a line break */
    void setText(String text);

    /** Does not pass the line on, nor its line break. */
    void drop();

    /** Sends a line before this one, after those inserted earlier. @throws IllegalArgumentException if it has a line break */
    void insertBefore(String text);

    /** Sends a line after this one, after those inserted earlier. @throws IllegalArgumentException if it has a line break */
    void insertAfter(String text);
}
