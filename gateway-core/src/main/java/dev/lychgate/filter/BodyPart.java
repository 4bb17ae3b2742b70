package dev.lychgate.filter;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a body in multipart/form-data, see {@link FilterRequest#eachPart}. When {@code eachPart} calls its action,
 * the header of the part is complete; the content streams after the action has returned. An unchanged part is forwarded
 * byte for byte. This object is unusable after the action has returned.
 */
public interface BodyPart {
    /**
     * Returns the name of the form field. Browsers percent-encode quotation marks in names; this method does not decode
     * them.
     */
    String getName();

    /**
     * Returns the file name as the client sent it; null if there is none. The name may contain path separators and
     * {@code ..}: never use it as a path.
     */
    @Nullable
    String getFilename();

    /**
     * Replaces the file name.
     *
     * @throws IllegalArgumentException if the name contains a control character
     */
    void setFilename(String filename);

    /** Returns the media type of the content as sent, with its parameters; null if there is none. */
    @Nullable
    String getContentType();

    /** Returns the first value of a header field of the part; null if the field is missing. */
    @Nullable
    String header(String name);

    /** Returns the names of the part's header fields, in order. */
    List<String> getHeaderNames();

    /**
     * Drops the part: the gateway does not forward it. A transform or an action that is set for the content of the part
     * still receives this content.
     */
    void drop();

    /**
     * Transforms the content while it streams.
     *
     * @throws IllegalStateException if a transform or an action is already set for the content
     */
    void transform(BodyTransform transform);

    /**
     * Calls {@code action} with the complete content. Until the call, the content counts against the memory budget. The
     * action runs on the event loop and must not block.
     *
     * @param max the maximum length of the content, in bytes. A request with longer content is rejected with 413
     *
     * @throws IllegalStateException if a transform or an action is already set for the content
     */
    void content(int max, Consumer<? super PartContent> action);
}
