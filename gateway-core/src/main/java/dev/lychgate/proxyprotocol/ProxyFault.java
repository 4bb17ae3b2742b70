package dev.lychgate.proxyprotocol;

import java.util.Locale;

/**
 * The reason for closing a connection that did not begin with a valid PROXY protocol header. The reason is a label of
 * the counters.
 */
public enum ProxyFault {
    /** The header is missing or malformed. */
    MALFORMED,
    /** The header exceeds the limit: 107 bytes in version 1, 4 KiB in version 2. */
    TOO_LONG,
    /** The checksum does not match. */
    CHECKSUM,
    /** The header did not arrive in time. */
    TIMEOUT,
    /** The connection was closed before the header was complete. */
    CLOSED;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    public String label() {
        return label;
    }
}
