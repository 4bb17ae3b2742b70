package dev.lychgate.config;

/** The version of the PROXY protocol header that the gateway sends to origins. */
public enum ProxyVersion {
    /** One line of text. */
    V1,
    /** A binary header. */
    V2
}
