package dev.lychgate.exchange.filtering.items;

import dev.lychgate.error.Side;
import dev.lychgate.filter.BodyPart;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.JsonItem;
import dev.lychgate.filter.MultipartLimits;
import dev.lychgate.filter.ServerSentEvent;
import dev.lychgate.filter.TextLine;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates the transforms that split bodies into items. Each transform is for one body. */
public final class ItemBodies {
    private ItemBodies() {}

    /**
     * Creates a transform for lines of text.
     *
     * @param side the sender of the body
     * @param max the maximum length of a line with its line break, in bytes
     */
    public static BodyTransform lines(Side side, int max, Consumer<? super TextLine> action) {
        return new TextLines(new ItemLimit(side, "a line", max), Objects.requireNonNull(action, "no action"));
    }

    /**
     * Creates a transform for server-sent events.
     *
     * @param side the sender of the body
     * @param max the maximum length of an event with its blank line, in bytes
     */
    public static BodyTransform events(Side side, int max, Consumer<? super ServerSentEvent> action) {
        return new Events(new ItemLimit(side, "an event", max), Objects.requireNonNull(action, "no action"));
    }

    /**
     * Creates a transform for JSON values.
     *
     * @param side the sender of the body
     * @param type the value of Content-Type. Bodies of {@code application/json} and {@code +json} types are one
     *     document; other bodies contain one document per line
     * @param max the maximum length of a value, in bytes
     */
    public static BodyTransform json(Side side, @Nullable String type, int max, Consumer<? super JsonItem> action) {
        ItemLimit limit = new ItemLimit(side, "a JSON value", max);
        Objects.requireNonNull(action, "no action");
        return isDocument(type) ? new JsonDocument(limit, action) : new JsonLines(limit, action);
    }

    /**
     * Creates a transform for the parts of a multipart body.
     *
     * @param contentTypes the values of Content-Type
     * @throws BodyRefusal if the body is not multipart/form-data with a boundary
     */
    public static BodyTransform parts(
            List<String> contentTypes, MultipartLimits limits, Consumer<? super BodyPart> action) {
        return new Multipart(contentTypes, limits, Objects.requireNonNull(action, "no action"));
    }

    private static boolean isDocument(@Nullable String contentType) {
        if (contentType == null) {
            return false;
        }
        int end = contentType.indexOf(';');
        String type =
                (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        // application/stream+json is Spring's older name of NDJSON, which has one document per line.
        return type.equals("application/json") || (type.endsWith("+json") && !type.equals("application/stream+json"));
    }
}
