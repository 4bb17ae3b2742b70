package dev.lychgate.codec;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.Arrays;

/**
 * Growing byte array in which a head is assembled. The complete head is then copied to a direct buffer with a single
 * write, because a direct buffer checks its bounds on every write. There is one instance per event loop.
 */
final class HeadBuffer {
    private static final FastThreadLocal<HeadBuffer> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected HeadBuffer initialValue() {
            return new HeadBuffer();
        }
    };

    private byte[] bytes = new byte[4096];
    private int length;

    /** Returns the buffer of the calling thread. Callers keep the buffer in a field. */
    static HeadBuffer ofThread() {
        return OF_THREAD.get();
    }

    void clear() {
        length = 0;
    }

    int length() {
        return length;
    }

    void copyTo(ByteBuf out) {
        out.writeBytes(bytes, 0, length);
    }

    HeadBuffer add(AsciiString text) {
        int n = text.length();
        ensure(n);
        System.arraycopy(text.array(), text.arrayOffset(), bytes, length, n);
        length += n;
        return this;
    }

    /** Appends text as ISO 8859-1; replaces any other character with a question mark. */
    HeadBuffer add(CharSequence text) {
        if (text instanceof AsciiString ascii) {
            return add(ascii);
        }
        return add(text.toString());
    }

    /**
     * Appends text like {@link #add(CharSequence)}. This method is several times faster, because the class of the text
     * is known.
     */
    HeadBuffer add(String text) {
        int n = text.length();
        ensure(n);
        byte[] b = bytes;
        int at = length;
        int all = 0;
        for (int i = 0; i < n; i++) {
            char c = text.charAt(i);
            all |= c;
            b[at + i] = (byte) c;
        }
        if (all > 255) {
            replaceWide(text, at);
        }
        length = at + n;
        return this;
    }

    private void replaceWide(String text, int at) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 255) {
                bytes[at + i] = '?';
            }
        }
    }

    void add(byte[] from, int at, int count) {
        ensure(count);
        System.arraycopy(from, at, bytes, length, count);
        length += count;
    }

    HeadBuffer add(char c) {
        ensure(1);
        bytes[length++] = (byte) c;
        return this;
    }

    /** Appends {@code name: value} and the end of the line. */
    void field(CharSequence name, CharSequence value) {
        add(name);
        ensure(2);
        bytes[length++] = ':';
        bytes[length++] = ' ';
        add(value);
        endLine();
    }

    void endLine() {
        ensure(2);
        bytes[length++] = '\r';
        bytes[length++] = '\n';
    }

    /** Appends a number in decimal. */
    HeadBuffer add(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("a negative number: " + number);
        }
        ensure(20);
        int digits = 1;
        for (long n = number; n >= 10; n /= 10) {
            digits++;
        }
        long n = number;
        for (int i = length + digits - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + n % 10);
            n /= 10;
        }
        length += digits;
        return this;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
