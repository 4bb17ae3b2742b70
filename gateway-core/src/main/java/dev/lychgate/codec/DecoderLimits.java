package dev.lychgate.codec;

/**
 * Limits of a decoder.
 *
 * @param startLine maximum length of a start line, in bytes
 * @param headerBytes maximum size of a header or trailer section, in bytes
 * @param headerCount maximum number of fields in a header or trailer section
 */
public record DecoderLimits(int startLine, int headerBytes, int headerCount) {
    /** Generous limits for responses of origins. */
    public static final DecoderLimits ORIGIN = new DecoderLimits(16 << 10, 256 << 10, 1000);
}
