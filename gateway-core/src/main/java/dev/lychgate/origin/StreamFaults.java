package dev.lychgate.origin;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http2.Http2Error;

/**
 * Maps failures of streams to errors, which state whether the origin may have processed the request.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.7">RFC 9113, 8.7 Request Reliability</a>
 */
final class StreamFaults {
    private StreamFaults() {}

    /**
     * Returns the error for a failed stream.
     *
     * @param byOrigin true if the origin reported the error; false if the gateway detected it, or if the connection
     *     ended
     * @param answered whether the response head had arrived
     */
    static GatewayError of(Http2Error error, boolean byOrigin, boolean answered) {
        if (error == Http2Error.REFUSED_STREAM && byOrigin) {
            return GatewayError.upstream(ErrorKind.ORIGIN_RESET, Retry.UNPROCESSED, "the origin refused the stream");
        }
        if (error == Http2Error.CANCEL && byOrigin && !answered) {
            return GatewayError.upstream(
                    ErrorKind.ORIGIN_CANCELLED, Retry.NEVER, "the origin cancelled the request's stream");
        }
        if (byOrigin) {
            return GatewayError.upstream(
                    ErrorKind.ORIGIN_RESET, Retry.NEVER, "the origin reset the stream: " + error.label());
        }
        if (error != Http2Error.NO_ERROR) {
            return GatewayError.upstream(
                    ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, "the origin violated the HTTP/2 protocol");
        }
        return GatewayError.upstream(
                ErrorKind.ORIGIN_RESET,
                answered ? Retry.NEVER : Retry.IF_REUSED,
                "the origin closed the connection "
                        + (answered ? "before the end of its response" : "without a response"));
    }
}
