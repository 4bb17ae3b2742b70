package dev.lychgate.codec;

/** The reins of a decoder of responses. */
public interface ResponseSource {
    /**
     * A request has been sent: its answer may come now. Bytes before that are unsolicited.
     *
     * @param toHead whether the request was a HEAD: its answer has no body, whatever its fields say
     */
    void expect(boolean toHead);

    /** Whether a byte of the awaited answer has come. */
    boolean begun();
}
