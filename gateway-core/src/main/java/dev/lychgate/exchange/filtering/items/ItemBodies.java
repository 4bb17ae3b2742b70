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

/** Creates the transforms. Each belongs to one body. */
public final class ItemBodies {
    private ItemBodies() {}

    /** @param side the sender of the body @param max most bytes of a line, with its line break */
    public static BodyTransform lines(Side side, int max, Consumer<? super TextLine> action) {
        return new TextLines(new ItemLimit(side, "a line", max), Objects.requireNonNull(action, "no action"));
    }

    /** @param side the sender of the body @param max most bytes of an event, with its blank line */
    public static BodyTransform events(Side side, int max, Consumer<? super ServerSentEvent> action) {
        return new Events(new ItemLimit(side, "an event", max), Objects.requireNonNull(action, "no action"));
    }

    /** @param type {@code application/json} and {@code +json} are one document, other types one document per line */
    public static BodyTransform json(Side side, @Nullable String type, int max, Consumer<? super JsonItem> action) {
        ItemLimit limit = new ItemLimit(side, "a JSON value", max);
        Objects.requireNonNull(action, "no action");
        return isDocument(type) ? new JsonDocument(limit, action) : new JsonLines(limit, action);
    }

    /**
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
        // Spring's older name of NDJSON.
        return type.equals("application/json") || (type.endsWith("+json") && !type.equals("application/stream+json"));
    }
}
