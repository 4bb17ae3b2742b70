package dev.lychgate.config;

/** The implementation of TLS. */
public enum TlsProvider {
    /** BoringSSL if its native library supports the machine, otherwise the implementation of the JDK. */
    AUTO,
    /** BoringSSL, by netty-tcnative. */
    OPENSSL,
    /** The implementation of the JDK. */
    JDK
}
