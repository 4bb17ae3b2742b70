package dev.lychgate.http2;

import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.HttpBytes;
import io.netty.util.AsciiString;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Content of one header block: header fields in order, pseudo-header fields, and the first fault. Each field must
 * satisfy the rules of both HTTP/1.1 and HTTP/2, because the gateway may forward the field to an HTTP/1.1 origin.
 *
 * <p>There is one instance per connection. Each header block replaces the content of the previous block.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.2">RFC 9113, 8.2 HTTP Fields</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.3">RFC 9113, 8.3 HTTP Control Data</a>
 */
public final class HeaderFields {
    /** The defined pseudo-header fields. */
    enum Pseudo {
        METHOD,
        SCHEME,
        AUTHORITY,
        PATH,
        STATUS,
        PROTOCOL;

        private static final Pseudo[] ALL = values();

        @SuppressWarnings("ImmutableEnumChecker") // the bytes are never modified
        private final AsciiString text = AsciiString.cached(':' + name().toLowerCase(Locale.ROOT));

        private static @Nullable Pseudo of(AsciiString name) {
            for (Pseudo one : ALL) {
                if (one.text.contentEquals(name)) {
                    return one;
                }
            }
            return null;
        }
    }

    private static final AsciiString TE = AsciiString.cached("te");
    private static final AsciiString TRAILERS = AsciiString.cached("trailers");

    /** Connection-specific headers of HTTP/1.1, which HTTP/2 prohibits. */
    private static final AsciiString[] OF_A_CONNECTION = {
        AsciiString.cached("connection"),
        AsciiString.cached("transfer-encoding"),
        AsciiString.cached("keep-alive"),
        AsciiString.cached("proxy-connection"),
        AsciiString.cached("upgrade"),
    };

    private final int limit;
    private AsciiString[] names = new AsciiString[32];
    private AsciiString[] values = new AsciiString[32];
    private int size;
    private final Map<Pseudo, AsciiString> pseudo = new EnumMap<>(Pseudo.class);
    private @Nullable String malformed;
    private boolean tooLarge;

    /**
     * Creates an object without fields.
     *
     * @param limit maximum number of fields; each part of a split Cookie header counts
     */
    HeaderFields(int limit) {
        this.limit = limit;
    }

    void clear() {
        Arrays.fill(names, 0, size, AsciiString.EMPTY_STRING);
        Arrays.fill(values, 0, size, AsciiString.EMPTY_STRING);
        size = 0;
        pseudo.clear();
        malformed = null;
        tooLarge = false;
    }

    /** Adds the next field of the block. */
    void add(AsciiString name, AsciiString value) {
        if (malformed != null) {
            return;
        }
        if (!name.isEmpty() && name.byteAt(0) == ':') {
            addPseudo(name, value);
            return;
        }
        malformed = fault(name, value);
        if (size == limit) {
            tooLarge = true;
            return;
        }
        if (size == names.length) {
            names = Arrays.copyOf(names, size * 2);
            values = Arrays.copyOf(values, size * 2);
        }
        names[size] = name;
        values[size++] = value;
    }

    private static @Nullable String fault(AsciiString name, AsciiString value) {
        if (!FieldSyntax.isName(name) || hasUpperCase(name)) {
            return "a field name is not a token in lower case";
        }
        if (!isCleanValue(value)) {
            return "a field value has a control byte, or leading or trailing whitespace";
        }
        for (AsciiString forbidden : OF_A_CONNECTION) {
            if (forbidden.contentEquals(name)) {
                return "the message has a connection-specific header field of HTTP/1.1";
            }
        }
        if (TE.contentEquals(name) && !TRAILERS.contentEqualsIgnoreCase(value)) {
            return "the header field TE has a value other than trailers";
        }
        return null;
    }

    private static boolean hasUpperCase(AsciiString name) {
        for (int i = name.arrayOffset(), end = i + name.length(); i < end; i++) {
            byte b = name.array()[i];
            if (b >= 'A' && b <= 'Z') {
                return true;
            }
        }
        return false;
    }

    private static boolean isCleanValue(AsciiString value) {
        if (value.isEmpty()) {
            return true;
        }
        return FieldSyntax.isValue(value)
                && !HttpBytes.isBlank(value.byteAt(0))
                && !HttpBytes.isBlank(value.byteAt(value.length() - 1));
    }

    private void addPseudo(AsciiString name, AsciiString value) {
        if (size > 0) {
            malformed = "a pseudo-header follows a header field";
        } else if (!isCleanValue(value)) {
            malformed = "a pseudo-header value has a control byte, or leading or trailing whitespace";
        } else {
            Pseudo which = Pseudo.of(name);
            if (which == null) {
                malformed = "a pseudo-header is unknown";
            } else if (pseudo.put(which, value) != null) {
                malformed = "a pseudo-header occurs twice";
            }
        }
    }

    /** Records a fault that another class has detected, unless a fault is already recorded. */
    void malformed(String detail) {
        if (malformed == null) {
            malformed = detail;
        }
    }

    void tooLarge() {
        tooLarge = true;
    }

    /** Returns the reason why the message is malformed; null if these fields are valid. */
    @Nullable
    String malformed() {
        return malformed;
    }

    /** Returns whether the fields exceed the limits. */
    public boolean isTooLarge() {
        return tooLarge;
    }

    int size() {
        return size;
    }

    AsciiString name(int i) {
        return names[i];
    }

    AsciiString value(int i) {
        return values[i];
    }

    /** Returns a pseudo-header field; null if it is missing. */
    @Nullable
    AsciiString pseudo(Pseudo which) {
        return pseudo.get(which);
    }

    int pseudos() {
        return pseudo.size();
    }
}
