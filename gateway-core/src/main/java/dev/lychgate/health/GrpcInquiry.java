package dev.lychgate.health;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks an endpoint with a call of {@code grpc.health.v1.Health/Check}. The endpoint is healthy if it responds with
 * exactly one message with status SERVING, followed by gRPC status OK. Results never contain text from the server.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/health-checking.md">GRPC Health Checking Protocol</a>
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">gRPC over HTTP2</a>
 */
final class GrpcInquiry implements Inquiry {
    /** The maximum length of the response message, in bytes. A typical message has two bytes. */
    static final int MOST_MESSAGE = 1024;

    private static final String PATH = "/grpc.health.v1.Health/Check";
    private static final int PREFIX = 5;
    private static final int SERVING = 1;
    private static final List<String> STATUSES = List.of("UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN");
    private static final long MOST_MILLIS = 99_999_999;

    private final String service;
    private final String authority;
    private final Duration timeout;
    private final byte[] received = new byte[PREFIX + MOST_MESSAGE];
    private int length;
    private @Nullable HttpHeaders head;

    /**
     * Creates the inquiry for one call of the health service.
     *
     * @param service the service to check; empty for the whole server
     * @param timeout sent to the server as {@code grpc-timeout}
     */
    GrpcInquiry(String service, String authority, Duration timeout) {
        this.service = service;
        this.authority = authority;
        this.timeout = timeout;
    }

    @Override
    public RequestHead head() {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.set(HttpHeaderNames.HOST, authority);
        headers.set(Grpc.TIMEOUT, Math.min(MOST_MILLIS, timeout.toMillis()) + "m");
        headers.set(HttpHeaderNames.CONTENT_TYPE, Grpc.CONTENT_TYPE);
        headers.set(HttpHeaderNames.USER_AGENT, Probe.AGENT);
        RequestHead request = new RequestHead(HttpMethod.POST, false, PATH, null, authority, headers);
        // In HTTP/2, this framing means DATA frames without a Content-Length. gRPC calls have no Content-Length.
        request.frame(BodyFraming.CHUNKED, 0);
        return request;
    }

    @Override
    public ByteBuf body(ByteBufAllocator allocator) {
        ByteBuf message = HealthMessages.request(service, allocator);
        try {
            return allocator
                    .heapBuffer(PREFIX + message.readableBytes())
                    .writeByte(0)
                    .writeInt(message.readableBytes())
                    .writeBytes(message);
        } finally {
            message.release();
        }
    }

    @Override
    public @Nullable Verdict onHead(ResponseHead answer) {
        if (answer.status() != 200) {
            return new Verdict("HTTP status " + answer.status());
        }
        if (!Grpc.is(answer.headers().get(HttpHeaderNames.CONTENT_TYPE))) {
            return new Verdict("the response is not a gRPC response");
        }
        head = answer.headers();
        return null;
    }

    @Override
    public @Nullable Verdict onBody(ByteBuf piece) {
        int bytes = piece.readableBytes();
        if (bytes > received.length - length) {
            return new Verdict("the response is longer than " + MOST_MESSAGE + " bytes");
        }
        piece.getBytes(piece.readerIndex(), received, length, bytes);
        length += bytes;
        if (length > 0 && received[0] != 0) {
            return new Verdict(received[0] == 1 ? "the response is compressed" : "the response is malformed");
        }
        return null;
    }

    @Override
    public Verdict onEnd(HttpHeaders trailers) {
        HttpHeaders last = length == 0 && trailers.isEmpty() && head != null ? head : trailers;
        List<String> said = last.getAll(Grpc.STATUS);
        if (said.size() != 1) {
            return new Verdict(
                    said.isEmpty() ? "the response has no grpc-status" : "the response has more than one grpc-status");
        }
        String status = said.get(0);
        return switch (status) {
            case "0" -> ofMessage();
            case "5" -> new Verdict("NOT_FOUND: the service is unknown to the server");
            case "12" -> new Verdict("UNIMPLEMENTED: the server has no grpc.health.v1.Health");
            default -> new Verdict(status.matches("\\d{1,2}") ? "grpc-status " + status : "a malformed grpc-status");
        };
    }

    private Verdict ofMessage() {
        ByteBuf in = Unpooled.wrappedBuffer(received, 0, length);
        if (length == 0) {
            return new Verdict("the response contains no message");
        }
        if (length < PREFIX || in.skipBytes(1).readUnsignedInt() != in.readableBytes()) {
            return new Verdict("the response is not one complete message");
        }
        try {
            int status = HealthMessages.status(in);
            if (status == SERVING) {
                return Verdict.GOOD;
            }
            return new Verdict(status >= 0 && status < STATUSES.size() ? STATUSES.get(status) : "status " + status);
        } catch (HealthMessages.MalformedMessageException e) {
            return new Verdict("the response is malformed");
        }
    }
}
