package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A text that ends with a line {@code signature BASE64}. The signature covers all bytes before that line. The first
 * line of a text states its kind, so that the signature of one kind of text is never valid for another kind.
 *
 * @param text the signed bytes
 * @param signature the signature in base64
 */
@SuppressWarnings("ArrayRecordComponent") // the bytes are never changed
record SignedText(byte[] text, String signature) {
    private static final byte[] LINE = "\nsignature ".getBytes(StandardCharsets.US_ASCII);
    /** The length of the signature line including its line feed, in bytes. */
    private static final int LAST_LINE = "signature ".length() + 88 + 1;

    static byte[] sign(byte[] text, SigningKey key) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(text.length + LAST_LINE);
        all.writeBytes(text);
        all.writeBytes(key.signatureLine(text).getBytes(StandardCharsets.US_ASCII));
        return all.toByteArray();
    }

    /**
     * Returns the signed text at the beginning of {@code bytes}, and its signature. Other bytes may follow the
     * signature.
     *
     * @param what the name of the text in messages
     * @param most the maximum length of the text in bytes
     * @throws FleetException if there is no line with a signature within the maximum length
     */
    static SignedText at(String what, byte[] bytes, int most) throws FleetException {
        int end = Math.min(bytes.length, most) - LINE.length;
        for (int i = 0; i <= end; i++) {
            if (bytes[i] == '\n' && Arrays.equals(bytes, i, i + LINE.length, LINE, 0, LINE.length)) {
                return cut(what, bytes, i + 1);
            }
        }
        throw FleetException.refused(
                what + (bytes.length > most ? ": no signature in the first " + most + " bytes" : ": not signed"));
    }

    private static SignedText cut(String what, byte[] bytes, int length) throws FleetException {
        int end = length + LAST_LINE;
        if (bytes.length < end || bytes[end - 1] != '\n') {
            throw FleetException.refused(what + ": the line of the signature is incomplete");
        }
        String signature =
                new String(bytes, length + LINE.length - 1, LAST_LINE - LINE.length, StandardCharsets.ISO_8859_1);
        return new SignedText(Arrays.copyOf(bytes, length), signature);
    }

    /** Returns the length of the text including its signature line, in bytes. */
    int length() {
        return text.length + LAST_LINE;
    }

    /** Verifies the signature, and returns the text. */
    byte[] verified(String what, TrustedKeys keys) throws FleetException {
        keys.verify(what, text, signature);
        return text;
    }
}
