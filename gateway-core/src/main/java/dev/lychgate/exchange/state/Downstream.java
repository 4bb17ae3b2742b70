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

/** The client's side of an exchange. All methods are called on the exchange's event loop. */
public interface Downstream {
    /** Disables splicing: no body is long enough. */
    long NO_SPLICE = Long.MAX_VALUE;

    /** Returns the connection's peer: the client or a proxy in front of it. {@link ExchangeState#client} is the client. */
    InetSocketAddress peer();

    /** Returns the PROXY protocol header about the client, for origins that require one. */
    default ProxyHeader proxyHeader() {
        return ProxyHeader.NOBODY;
    }

    /** Returns the forwarding headers that describe this connection to origins. */
    ForwardingHeaders forwarding();

    /** Returns the name of the listener that accepted the client. */
    String listener();

    /** Returns the client's TLS session; null if the connection does not use TLS. */
    default @Nullable TlsSession tls() {
        return null;
    }

    /** Returns the handling of path parameters in route matching. */
    default ParameterPolicy pathParameters() {
        return ParameterPolicy.AUTO;
    }

    ByteBufAllocator allocator();

    /** Returns whether the gateway is shutting down and must not start unbounded exchanges. */
    default boolean isDraining() {
        return false;
    }

    /**
     * Returns whether one direction of a tunnel may end before the other. If so, {@link #writeEnd} ends the gateway's
     * direction; later client bytes are still reported, and the client's end as the end of the request.
     */
    default boolean endsByHalves() {
        return false;
    }

    /** Returns whether more may be written without exceeding the write-buffer watermark. */
    boolean isWritable();

    /** Closes the client's connection after this response and the responses to other requests that it has sent before. */
    default void closeAfterResponse() {}

    /** Pauses reading the request until {@link #resumeReading()}. */
    void pauseReading();

    /** Resumes reading. The exchange may receive body chunks before this method returns. */
    void resumeReading();

    /**
     * Returns how long the client has stalled while the gateway reads its body, in nanoseconds; 0 if the client did not
     * cause the delay.
     */
    default long bodySilence() {
        return 0;
    }

    /** Returns how long either side of a tunnel may leave queued bytes unread, in nanoseconds. */
    default long writeTimeout() {
        return Long.MAX_VALUE;
    }

    void writeInformational(ResponseHead head);

    /**
     * Writes the head of the final response, which commits the exchange. If the head
     * {@linkplain ResponseHead#isTunnel opens a tunnel}, the next {@link #resumeReading()} delivers client bytes as request
     * body chunks, and response body chunks are written unframed.
     */
    void writeHead(ResponseHead head);

    /** Writes a body chunk. Owns {@code piece}. */
    void writeBody(ByteBuf piece);

    /**
     * Returns the minimum length in bytes of bodies to {@linkplain SplicedPiece splice}; {@link #NO_SPLICE} if splicing is
     * impossible. Only for bodies that no filter reads, with a length that the client receives.
     */
    default long splicesFrom() {
        return NO_SPLICE;
    }

    /** Writes a spliced body chunk, only if {@link #splicesFrom} allows splicing. Owns {@code piece}. */
    default void writeBody(SplicedPiece piece) {
        piece.release();
        throw new UnsupportedOperationException("a spliced chunk for a connection that cannot send it");
    }

    void writeEnd(HttpHeaders trailers);

    /** Flushes all written data. */
    void flush();

    /**
     * Ends the exchange after a complete response. Called once, and never after {@link #abort()}.
     *
     * @param requestDone whether the whole request has been read; otherwise the connection discards the rest or closes
     */
    void onExchangeEnd(boolean requestDone);

    /** Closes the connection in a way that marks the response as incomplete, and ends the exchange. */
    void abort();

    /** Like {@link #abort()}, and resets the connection, so that the client does not take its end for an orderly close. */
    default void reset() {
        abort();
    }
}
