package dev.lychgate.authorization;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.http.Grpc;
import java.util.List;

/** Creates the responses of authorizers to rejected requests. */
final class Denials {
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;
    /** The value of {@code Retry-After}, in seconds, if the gateway has no better estimate. */
    private static final String RETRY_SOON = "1";

    private static final int UNAUTHENTICATED = 16;
    private static final int PERMISSION_DENIED = 7;
    private static final int UNAVAILABLE = 14;

    private Denials() {}

    /**
     * Returns a rejection, depending on the status:
     *
     * <ul>
     *   <li>403: the exchange fails with {@code forbidden}, so that the error response has the appropriate format for
     *       the client
     *   <li>any other status: the response has one line of text, or a gRPC status for gRPC clients, which ignore HTTP
     *       statuses and bodies
     *   <li>429 and 503: the response also has {@code Retry-After}, except for gRPC clients
     * </ul>
     */
    static FilterOutcome of(FilterExchange exchange, int status, String line) {
        if (status == FORBIDDEN) {
            return FilterOutcome.fail(GatewayError.downstream(ErrorKind.FORBIDDEN, line));
        }
        if (isGrpc(exchange.getRequest())) {
            return grpc(status, line);
        }
        FilterOutcome.Respond response = FilterOutcome.respond(status).text(line + "\n");
        return status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE
                ? response.header("retry-after", RETRY_SOON)
                : response;
    }

    /** Returns whether the client expects a gRPC response. */
    static boolean isGrpc(FilterRequest request) {
        List<String> types = request.getHeaders().getAll("content-type");
        return request.getProtocol().equals("HTTP/2.0") && types.size() == 1 && Grpc.is(types.get(0));
    }

    /**
     * Returns a gRPC response without a message.
     *
     * @param status the HTTP status of the denial
     */
    static FilterOutcome.Respond grpc(int status, String message) {
        int code = status == 401 ? UNAUTHENTICATED : status >= 500 ? UNAVAILABLE : PERMISSION_DENIED;
        return FilterOutcome.respond(200)
                .header("content-type", "application/grpc")
                .header("grpc-status", Integer.toString(code))
                .header("grpc-message", Grpc.encoded(message));
    }
}
