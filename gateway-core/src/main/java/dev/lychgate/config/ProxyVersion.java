package dev.lychgate.config;

/** A version of the PROXY protocol to origins. */
public enum ProxyVersion {
    /** One line of text. */
    V1,
    /** A binary header. */
    V2
}
