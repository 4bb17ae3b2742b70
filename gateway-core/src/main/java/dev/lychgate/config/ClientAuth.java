package dev.lychgate.config;

/** The policy on client certificates. */
public enum ClientAuth {
    /** Requests no certificate. */
    NONE,
    /** Requests a certificate and accepts a handshake without one; a certificate that is sent must be valid. */
    OPTIONAL,
    /** Requires a certificate and fails the handshake without one. */
    REQUIRED
}
