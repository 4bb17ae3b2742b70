package dev.lychgate.config;

/** The policy for client certificates. */
public enum ClientAuth {
    /** Requests no certificate. */
    NONE,
    /** Requests a certificate, and accepts a handshake without one. If the client sends a certificate, it must be valid. */
    OPTIONAL,
    /** Requires a certificate. A handshake without one fails. */
    REQUIRED
}
