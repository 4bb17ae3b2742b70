package dev.lychgate.proxyprotocol;

/** What came is no header that is taken. Without a stack trace: anybody who may connect can cause it. */
public final class ProxyHeaderException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ProxyFault fault;

    ProxyHeaderException(ProxyFault fault, String detail) {
        super(detail, null, false, false);
        this.fault = fault;
    }

    /** What is wrong, in a word. */
    public ProxyFault fault() {
        return fault;
    }
}
