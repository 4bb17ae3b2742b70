package dev.lychgate.config;

/** Which HTTP/1.1 codec reads the wire. */
public enum Codec {
    /** Netty's decoders, tuned. */
    NETTY
}
