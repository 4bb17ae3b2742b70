package dev.lychgate.codec;

/** The reins of a decoder of responses. */
public interface ResponseSource {
    /**
     * A request has been sent: its answer may come now. Bytes before that are unsolicited.
     *
     * @param toHead whether the request was a HEAD: its answer has no body, whatever its fields say
     */
    void expect(boolean toHead);

    /**
     * As {@link #expect}, after a request for a WebSocket. An answer that grants it is told as a head that {@linkplain
     * dev.lychgate.http.ResponseHead#isTunnel is a tunnel}, and from then on every byte as a piece of its body, without end.
     */
    void expectTunnel(WebSocketOffer offer);

    /**
     * How many bytes of the answer's body are still to come off the socket, if that is certain and if they need not be read: the
     * last of them has to be. 0 otherwise.
     */
    long bodyLeft();

    /** The next {@code bytes} of the body, less than {@link #bodyLeft}, are not read but go another way. */
    void pass(long bytes);

    /** Bytes that have been received but not yet parsed into something handed on. */
    int buffered();

    /** The size of the buffer in which {@link #buffered} bytes lie, in bytes; 0 if there are none. */
    int bufferSize();

    /** Whether a byte of the awaited answer has come. */
    boolean begun();
}
