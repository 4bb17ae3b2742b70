package dev.lychgate.error;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;

/**
 * Maps failures to gRPC responses, in one place for the whole gateway. A response has a gRPC status and a message in a
 * head without a body ("Trailers-Only"), with HTTP status 200.
 *
 * @see <a href="https://grpc.github.io/grpc/core/md_doc_statuscodes.html">Status codes and their use in gRPC</a>
 */
public final class GrpcStatus {
    private static final int CANCELLED = 1;
    static final int UNKNOWN = 2;
    private static final int DEADLINE_EXCEEDED = 4;
    static final int PERMISSION_DENIED = 7;
    private static final int RESOURCE_EXHAUSTED = 8;
    static final int UNIMPLEMENTED = 12;
    static final int INTERNAL = 13;
    static final int UNAVAILABLE = 14;
    static final int UNAUTHENTICATED = 16;

    private GrpcStatus() {}

    /**
     * Returns the gRPC status for {@code kind}. Clients retry after {@link #UNAVAILABLE}, so this status is used for
     * calls that did not reach a server, or that lost the connection to the server.
     */
    public static int code(ErrorKind kind) {
        return switch (kind) {
            // After the deadline of a call, a server can only cancel the stream. If the timer of the client has not
            // expired yet, the client interprets CANCELLED as the end of its deadline, but it would retry after
            // UNAVAILABLE.
            case CLIENT_GONE, CLIENT_STALLED, ORIGIN_CANCELLED -> CANCELLED;
            case REQUEST_TIMEOUT, RESPONSE_TIMEOUT, RESPONSE_BODY_TIMEOUT, EXCHANGE_TIMEOUT -> DEADLINE_EXCEEDED;
            case BAD_CREDENTIALS, UNAUTHENTICATED -> UNAUTHENTICATED;
            case WEBSOCKET_NOT_SERVED, ORIGIN_NOT_ALLOWED, CLIENT_REFUSED, FORBIDDEN -> PERMISSION_DENIED;
            case BODY_TOO_LARGE, HEADERS_TOO_LARGE, URI_TOO_LONG, RATE_LIMITED, CLIENT_LIMITED -> RESOURCE_EXHAUSTED;
            case NO_ROUTE, METHOD_NOT_ALLOWED, NOT_IMPLEMENTED, VERSION_NOT_SUPPORTED, WEBSOCKET_VERSION ->
                UNIMPLEMENTED;
            case MALFORMED_REQUEST,
                    BAD_PATH,
                    BAD_HOST,
                    EXPECTATION_FAILED,
                    MISDIRECTED_REQUEST,
                    LOOP_DETECTED,
                    MALFORMED_RESPONSE,
                    INTERNAL -> INTERNAL;
            case NO_ENDPOINT,
                    ACQUIRE_TIMEOUT,
                    POOL_EXHAUSTED,
                    CIRCUIT_OPEN,
                    BULKHEAD_FULL,
                    CONCURRENCY_LIMITED,
                    FILTER_BUSY,
                    IDENTITY_UNAVAILABLE,
                    OVERLOADED,
                    DRAINING,
                    FAULT_INJECTED,
                    CONNECT_REFUSED,
                    CONNECT_FAILED,
                    CONNECT_TIMEOUT,
                    TLS_FAILED,
                    ORIGIN_RESET -> UNAVAILABLE;
        };
    }

    private static int code(GatewayError error) {
        return error.cause() instanceof InjectedFault fault ? fault.grpcStatus() : code(error.kind());
    }

    /** Creates the whole response, which is a head without a body. */
    public static ResponseHead head(GatewayError error) {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.add(HttpHeaderNames.CONTENT_TYPE, Grpc.CONTENT_TYPE);
        headers.add(Grpc.STATUS, Integer.toString(code(error)));
        headers.add(Grpc.MESSAGE, Grpc.encoded(ErrorResponses.detail(error)));
        ResponseHead head = new ResponseHead(200, headers);
        head.frame(BodyFraming.LENGTH, 0);
        return head;
    }
}
