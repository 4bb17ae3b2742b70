package dev.lychgate.error;

/**
 * The cause of a {@link ErrorKind#FAULT_INJECTED} error: the fault of a rehearsal, and the response that the fault
 * produces. Neither the gateway nor an origin has failed, and there is no stack trace. Immutable and thread-safe.
 */
public final class InjectedFault extends Exception {
    private static final long serialVersionUID = 1;

    private final int status;
    private final int grpcStatus;

    /**
     * @param name the name of the fault
     * @param status the HTTP status
     * @param grpcStatus the gRPC status; 0 = the gRPC status that corresponds to {@code status}
     */
    public InjectedFault(String name, int status, int grpcStatus) {
        super("the injected fault " + name, null, false, false);
        this.status = status;
        this.grpcStatus = grpcStatus == 0 ? grpcStatusOf(status) : grpcStatus;
    }

    /** Returns the error of an exchange with this fault. No origin is involved. */
    public GatewayError error() {
        return new GatewayError(
                ErrorKind.FAULT_INJECTED, Side.LOCAL, Retry.NEVER, "a fault was injected for a rehearsal", this);
    }

    /** Returns the status of the response, from 400 to 599. */
    public int status() {
        return status;
    }

    /** Returns the gRPC status, from 1 to 16. */
    public int grpcStatus() {
        return grpcStatus;
    }

    /**
     * Returns the gRPC status that gRPC clients derive from the HTTP status {@code status} if a response contains no
     * gRPC status.
     *
     * @see <a href="https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md">HTTP to gRPC Status Code
     *     Mapping</a>
     */
    private static int grpcStatusOf(int status) {
        return switch (status) {
            case 400 -> GrpcStatus.INTERNAL;
            case 401 -> GrpcStatus.UNAUTHENTICATED;
            case 403 -> GrpcStatus.PERMISSION_DENIED;
            case 404 -> GrpcStatus.UNIMPLEMENTED;
            case 429, 502, 503, 504 -> GrpcStatus.UNAVAILABLE;
            default -> GrpcStatus.UNKNOWN;
        };
    }
}
