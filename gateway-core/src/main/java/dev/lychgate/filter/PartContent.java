package dev.lychgate.filter;

import java.nio.charset.StandardCharsets;

/** The complete content of a {@link BodyPart}. */
public interface PartContent {
    /** Returns the content. Changes to the array have no effect. */
    byte[] getBytes();

    /** Replaces the content. */
    void setBytes(byte[] content);

    /** Returns the content decoded as UTF-8. */
    default String getText() {
        return new String(getBytes(), StandardCharsets.UTF_8);
    }

    /** Replaces the content with a text in UTF-8. */
    default void setText(String text) {
        setBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
