package dev.lychgate.tls;

import org.jspecify.annotations.Nullable;

/**
 * What a client and a listener have agreed on.
 *
 * @param protocol {@code TLSv1.3} or {@code TLSv1.2}
 * @param cipher the suite, by its IANA name
 * @param serverName the host name that the client asked for by SNI, in lower case; null if it asked for none
 * @param resumed whether the session was begun on an earlier connection; false where the engine does not tell
 * @param clientCertificate who the client has proved to be; null if it has proved nothing
 */
public record TlsSession(
        String protocol,
        String cipher,
        @Nullable String serverName,
        boolean resumed,
        @Nullable ClientCertificate clientCertificate) {}
