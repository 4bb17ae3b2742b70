package dev.lychgate.server.accesslog;

import dev.lychgate.config.IpLiteral;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing buffer of ASCII lines. It stores one byte per character, so that no encoding step is needed. Not
 * thread-safe.
 */
final class LineBuffer {
    /** The length of {@link Long#MIN_VALUE}, which has the maximum number of digits and a sign. */
    private static final int LONGEST_NUMBER = 20;

    private byte[] bytes;
    private int length;

    /** @param capacity initial capacity in bytes */
    LineBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    /** Returns the bytes of a text that is appended repeatedly. */
    static byte[] constant(String ascii) {
        return ascii.getBytes(StandardCharsets.US_ASCII);
    }

    LineBuffer append(byte[] ascii) {
        reserve(ascii.length);
        System.arraycopy(ascii, 0, bytes, length, ascii.length);
        length += ascii.length;
        return this;
    }

    LineBuffer append(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    /** Appends a trusted text. Untrusted text must be appended by {@link Escapes}. */
    LineBuffer append(String ascii) {
        int count = ascii.length();
        reserve(count);
        for (int i = 0; i < count; i++) {
            bytes[length++] = (byte) ascii.charAt(i);
        }
        return this;
    }

    LineBuffer append(long number) {
        if (number < 0) {
            return append(Long.toString(number));
        }
        reserve(LONGEST_NUMBER);
        int end = length + digits(number);
        length = end;
        do {
            bytes[--end] = (byte) ('0' + number % 10);
            number /= 10;
        } while (number > 0);
        return this;
    }

    /** Appends an address: IPv4 in dotted form, IPv6 as in RFC 5952. */
    LineBuffer append(InetAddress address) {
        if (!(address instanceof Inet4Address)) {
            return append(IpLiteral.text(address));
        }
        byte[] four = address.getAddress();
        append(four[0] & 0xff);
        for (int i = 1; i < four.length; i++) {
            append('.').append(four[i] & 0xff);
        }
        return this;
    }

    /**
     * Appends a decimal point and three digits, such as {@code .042}.
     *
     * @param number 0 to 999
     */
    LineBuffer appendThousandths(long number) {
        append('.');
        if (number < 100) {
            append('0');
        }
        if (number < 10) {
            append('0');
        }
        return append(number);
    }

    private static int digits(long number) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /**
     * Appends a text up to its first character that is not allowed.
     *
     * @param allowed whether each character is allowed; characters beyond the end of the array are not allowed
     * @return the index of the first character that is not allowed; the length of the text if all characters are
     *     allowed
     */
    int appendWhile(boolean[] allowed, String text, int from) {
        int end = text.length();
        reserve(end - from);
        byte[] to = bytes;
        int at = length;
        int i = from;
        for (; i < end; i++) {
            char c = text.charAt(i);
            if (c >= allowed.length || !allowed[c]) {
                break;
            }
            to[at++] = (byte) c;
        }
        length = at;
        return i;
    }

    private void reserve(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), 2 * bytes.length));
        }
    }

    int length() {
        return length;
    }

    /** Discards all bytes beyond the length {@code to}. */
    void truncate(int to) {
        length = to;
    }

    /** Returns all bytes and clears the buffer. */
    byte[] take() {
        byte[] all = Arrays.copyOf(bytes, length);
        length = 0;
        return all;
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }
}
