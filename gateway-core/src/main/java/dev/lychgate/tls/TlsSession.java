package dev.lychgate.tls;

import org.jspecify.annotations.Nullable;

/**
 * The result of a TLS handshake between a client and a listener.
 *
 * @param protocol {@code TLSv1.3} or {@code TLSv1.2}
 * @param cipher the IANA name of the cipher suite
 * @param serverName the host name in the client's SNI, in lower case; null if the client sent no SNI
 * @param resumed true if the handshake resumed an earlier session; false if it did not, or if this is unknown
 * @param clientCertificate the verified client certificate; null if the client sent no certificate
 */
public record TlsSession(
        String protocol,
        String cipher,
        @Nullable String serverName,
        boolean resumed,
        @Nullable ClientCertificate clientCertificate) {}
