package dev.lychgate.config;

/** A version of the PROXY protocol, as it is spoken to origins. */
public enum ProxyVersion {
    /** One line of text. */
    V1,
    /** Binary. */
    V2
}
