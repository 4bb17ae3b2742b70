package dev.lychgate.config;

/** The implementation of TLS. */
public enum TlsProvider {
    /** BoringSSL if its native library supports the machine, otherwise that of the JDK. */
    AUTO,
    /** BoringSSL, by netty-tcnative. */
    OPENSSL,
    /** That of the JDK. */
    JDK
}
