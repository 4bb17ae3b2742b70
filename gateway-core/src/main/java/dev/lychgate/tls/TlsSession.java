package dev.lychgate.tls;

import org.jspecify.annotations.Nullable;

/**
 * Result of a client's handshake with a listener.
 *
 * @param protocol {@code TLSv1.3} or {@code TLSv1.2}
 * @param cipher the IANA name of the cipher suite
 * @param serverName the SNI host name, in lower case; null if the client sent none
 * @param resumed whether an earlier session was resumed; false if that is unknown
 * @param clientCertificate the verified client certificate; null if the client sent none
 */
public record TlsSession(
        String protocol,
        String cipher,
        @Nullable String serverName,
        boolean resumed,
        @Nullable ClientCertificate clientCertificate) {}
