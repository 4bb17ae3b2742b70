package dev.lychgate.proxyprotocol;

import java.util.Locale;

/** Why a connection that had to begin with a header did not; a label of the counters. */
public enum ProxyFault {
    /** It is none, or not as it must be. */
    MALFORMED,
    /** It is longer than any that is taken: 107 bytes of version 1, 4 KiB of version 2. */
    TOO_LONG,
    /** Its checksum is of something else. */
    CHECKSUM,
    /** It did not come in time. */
    TIMEOUT,
    /** The connection was closed within it. */
    CLOSED;

    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    public String label() {
        return label;
    }
}
