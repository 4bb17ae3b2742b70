package dev.lychgate.filter;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a body in multipart/form-data, see {@link FilterRequest#eachPart}. Its header is complete; its content streams after
 * the action. An unchanged part is passed on byte for byte. Not usable after the action has returned.
 */
public interface BodyPart {
    /** Returns the name of the field. Percent-encodings, which browsers use for quotation marks, are not decoded. */
    String getName();

    /**
     * Returns the file name as the client sent it; null if there is none. It may contain path separators and {@code ..}, so it is
     * no path.
     */
    @Nullable
    String getFilename();

    /** Replaces the file name. @throws IllegalArgumentException if it has a control character */
    void setFilename(String filename);

    /** Returns the media type of the content as sent, with its parameters; null if there is none. */
    @Nullable
    String getContentType();

    /** Returns the first value of a header field of the part; null if it is missing. */
    @Nullable
    String header(String name);

    /** Returns the names of the header fields in order. */
    List<String> getHeaderNames();

    /** Does not pass the part on. Its content is still read by {@link #transform} and {@link #content}. */
    void drop();

    /**
     * Transforms the content while it streams.
     *
     * @throws IllegalStateException if the action has set a transform or an action for the content before
     */
    void transform(BodyTransform transform);

    /**
     * Calls {@code action} with the complete content, of at most {@code max} bytes. The content counts against the memory budget
     * until then. The action runs on the event loop and must not block. Longer content is rejected with 413.
     *
     * @throws IllegalStateException as {@link #transform}
     */
    void content(int max, Consumer<? super PartContent> action);
}
