package dev.lychgate.exchange.state;

import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.splice.SplicedPiece;
import dev.lychgate.tls.TlsSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The client's side, as an exchange sees it. All methods are called on the exchange's event loop. */
public interface Downstream {
    /** No body is long enough. */
    long NO_SPLICE = Long.MAX_VALUE;

    /** The other end of the connection: the client, or a proxy in front. {@link ExchangeState#client} is the client. */
    InetSocketAddress peer();

    /** What is said of the client to origins that want a header of the PROXY protocol. */
    default ProxyHeader proxyHeader() {
        return ProxyHeader.NOBODY;
    }

    /** What this connection says of its client to origins. */
    ForwardingHeaders forwarding();

    /** The name of the listener the client came in by. */
    String listener();

    /** What TLS says of the client; null if it is not spoken with him. */
    default @Nullable TlsSession tls() {
        return null;
    }

    /** How path parameters take part in route matching. */
    default ParameterPolicy pathParameters() {
        return ParameterPolicy.AUTO;
    }

    ByteBufAllocator allocator();

    /** Whether the gateway is shutting down: what would go on for ever must not begin. */
    default boolean isDraining() {
        return false;
    }

    /**
     * Whether one direction of a tunnel may end before the other: {@link #writeEnd} ends ours, and what the client sends is
     * still told; its end is told as that of the request.
     */
    default boolean endsByHalves() {
        return false;
    }

    /** Whether more may be written without queueing beyond the watermark. */
    boolean isWritable();

    /** Reads no more of the request until {@link #resumeReading()}. */
    void pauseReading();

    /** Reads on; pieces of the body may be told to the exchange before this returns. */
    void resumeReading();

    /**
     * For how long the client has sent nothing of a body that is asked for, in nanoseconds; 0 if that is not the client's
     * doing.
     */
    default long bodySilence() {
        return 0;
    }

    /** Returns how long either side of a tunnel may read nothing of the bytes that wait for it, in nanoseconds. */
    default long writeTimeout() {
        return Long.MAX_VALUE;
    }

    /** Writes an interim answer (1xx). */
    void writeInformational(ResponseHead head);

    /**
     * Writes the head of the final answer: the exchange is committed. If it {@linkplain ResponseHead#isTunnel is a tunnel},
     * what the client sends is told as pieces of the request's body from the next {@link #resumeReading()} on, and pieces of
     * the answer's body are written as they are.
     */
    void writeHead(ResponseHead head);

    /** Writes a piece of the body, which belongs to the downstream from here on. */
    void writeBody(ByteBuf piece);

    /**
     * From which length on bodies of answers may be told as {@linkplain SplicedPiece pieces in pipes}, if nobody is to see them and
     * if their length is told to the client; {@link #NO_SPLICE} if none may.
     */
    default long splicesFrom() {
        return NO_SPLICE;
    }

    /** Writes a piece of the body, which belongs to the downstream from here on. Only where {@link #splicesFrom} allows it. */
    default void writeBody(SplicedPiece piece) {
        piece.release();
        throw new UnsupportedOperationException("a piece in a pipe for somebody who can't send it");
    }

    /** Writes the end of the answer. */
    void writeEnd(HttpHeaders trailers);

    /** Sends what has been written. */
    void flush();

    /**
     * The answer is whole and the exchange is over. Called once, and not after {@link #abort()}.
     *
     * @param requestDone whether the request has been read to its end; if not, the connection throws the rest away or
     *     closes
     */
    void onExchangeEnd(boolean requestDone);

    /** The answer can't be finished: cuts the connection so that nobody takes it for whole. The exchange is over. */
    void abort();
}
