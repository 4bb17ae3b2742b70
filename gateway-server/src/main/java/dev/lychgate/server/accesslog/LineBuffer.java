package dev.lychgate.server.accesslog;

import dev.lychgate.config.IpLiteral;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Lines as they grow: ASCII, a byte for each character, so that nothing has to be encoded on its way out. For one thread. */
final class LineBuffer {
    /** {@link Long#MIN_VALUE} has as many digits as any, and a sign. */
    private static final int LONGEST_NUMBER = 20;

    private byte[] bytes;
    private int length;

    /** @param capacity bytes it begins with */
    LineBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    /** What can stand in a line again and again. */
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

    /** @param ascii of our own making; what came from outside goes through {@link Escapes} */
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

    /** An address: IPv4 with dots, IPv6 as RFC 5952 has it. */
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

    /** A point and three digits. @param number 0 to 999 */
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
     * @param allowed by character; those beyond its end are not
     * @return where that is; the text's length if there is none
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

    /** Forgets all behind that length. */
    void truncate(int to) {
        length = to;
    }

    /** All of it, which is forgotten by this. */
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
