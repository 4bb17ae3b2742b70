package dev.lychgate.proxyprotocol;

/**
 * Reports an invalid PROXY protocol header. Has no stack trace, because every client that can connect can cause this
 * exception.
 */
public final class ProxyHeaderException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ProxyFault fault;

    ProxyHeaderException(ProxyFault fault, String detail) {
        super(detail, null, false, false);
        this.fault = fault;
    }

    /** Returns the kind of fault. */
    public ProxyFault fault() {
        return fault;
    }
}
