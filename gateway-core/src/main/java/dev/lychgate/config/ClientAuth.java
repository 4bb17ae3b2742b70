package dev.lychgate.config;

/** The policy for client certificates. */
public enum ClientAuth {
    /** Requests no certificate. */
    NONE,
    /**
     * Requests a certificate, and accepts a handshake without a certificate. If the client sends a certificate, the
     * certificate must be valid.
     */
    OPTIONAL,
    /** Requires a certificate. A handshake without a certificate fails. */
    REQUIRED
}
