package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the name and the value of a field may be made of. What comes in has been held to it before it becomes a head, so
 * the heads themselves do not check again; whatever else goes into one must pass here, or it could end the line it
 * stands in and begin another.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.1">RFC 9110, 5.1 Field Names</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.5">RFC 9110, 5.5 Field Values</a>
 */
public final class FieldSyntax {
    private FieldSyntax() {}

    /** Whether {@code name} is a token, and so may name a field. */
    public static boolean isName(CharSequence name) {
        return !name.isEmpty() && isOf(HttpBytes.TOKEN, name);
    }

    /** Whether {@code value} is of visible ASCII, blanks, tabs and {@code obs-text} (0x80 to 0xff) alone; it may be empty. */
    public static boolean isValue(CharSequence value) {
        if (value instanceof AsciiString ascii) {
            int from = ascii.arrayOffset();
            int end = from + ascii.length();
            return HttpBytes.endOfText(ascii.array(), from, end) == end;
        }
        return isOf(HttpBytes.TEXT, value);
    }

    /** The name of the first field of {@code headers} that must not be sent; null if there is none. */
    public static @Nullable CharSequence faulty(HttpHeaders headers) {
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = headers.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            if (!isName(field.getKey()) || !isValue(field.getValue())) {
                return field.getKey();
            }
        }
        return null;
    }

    private static boolean isOf(byte classes, CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0xff || !HttpBytes.is((byte) c, classes)) {
                return false;
            }
        }
        return true;
    }
}
