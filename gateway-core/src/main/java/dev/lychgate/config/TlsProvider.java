package dev.lychgate.config;

/** The implementation of TLS. */
public enum TlsProvider {
    /** BoringSSL if its native library supports this machine; otherwise, the implementation of the JDK. */
    AUTO,
    /** BoringSSL, through netty-tcnative. */
    OPENSSL,
    /** The implementation of the JDK. */
    JDK
}
