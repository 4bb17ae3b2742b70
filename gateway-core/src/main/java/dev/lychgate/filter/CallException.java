package dev.lychgate.filter;

import dev.lychgate.error.GatewayError;

/**
 * Reports that a {@linkplain FilterCall call-out} has no response. If a filter that fails closed throws this exception,
 * the exchange fails with {@link #getError}: the client receives 502, 503 or 504. The exception has no stack trace.
 */
public final class CallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String upstream;
    private final transient GatewayError error;

    /**
     * Creates an exception for a call-out without a response.
     *
     * @param upstream the name of the upstream that was called
     */
    public CallException(String upstream, GatewayError error) {
        super("call-out to upstream " + upstream + ": " + error.detail(), error.cause(), false, false);
        this.upstream = upstream;
        this.error = error;
    }

    /** Returns the name of the upstream that was called. */
    public String getUpstream() {
        return upstream;
    }

    /**
     * Returns the failure. Its kind is, for example, {@code CIRCUIT_OPEN}, {@code RESPONSE_TIMEOUT} or {@code
     * CONNECT_REFUSED}.
     */
    public GatewayError getError() {
        return error;
    }
}
