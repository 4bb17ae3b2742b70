package dev.lychgate.config;

/** Which HTTP/1.1 codec reads the wire. */
public enum Codec {
    /** Netty's decoders, tuned. */
    NETTY,

    /**
     * One of our own reads what is plain, and leaves the fields bytes until somebody asks for them; all else, and all that is
     * chunked, is Netty's.
     */
    FLAT;

    /** What a gateway uses unless told otherwise. */
    public static final Codec DEFAULT = FLAT;
}
