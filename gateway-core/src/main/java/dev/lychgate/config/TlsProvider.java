package dev.lychgate.config;

/** Whose TLS is used. */
public enum TlsProvider {
    /** BoringSSL where its native library fits the machine, otherwise the JDK's. */
    AUTO,
    /** BoringSSL, by netty-tcnative. */
    OPENSSL,
    /** That of the JDK. */
    JDK
}
