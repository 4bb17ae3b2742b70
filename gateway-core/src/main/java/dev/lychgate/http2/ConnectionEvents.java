package dev.lychgate.http2;

/** Events that a peer's frames cause on a connection, and that differ between clients and servers. */
interface ConnectionEvents {
    /** Returns whether no stream of that number has begun: neither one of the peer's, nor one of ours. */
    boolean isIdle(int id);

    /** A header block arrived on an idle stream. */
    void open(int id, HeaderFields first, boolean end) throws Http2Fault;

    /** The peer limits how many streams may be open at once. */
    default void onPeerStreams(long most) {}

    /** The peer accepts CONNECT for other protocols, or not (RFC 8441). @throws Http2Fault if it may not change that any more */
    default void onConnectProtocol(boolean enabled) throws Http2Fault {}

    /** The peer's settings are known, or have changed. */
    default void onSettings() {}

    /** The peer will close: it processes no stream beyond {@code lastStream}. */
    default void onGoAway(int lastStream, Http2Error error) {}

    /** The peer violated the protocol; the stream, or the connection, ends by that. */
    void onFault(Http2Fault fault);
}
