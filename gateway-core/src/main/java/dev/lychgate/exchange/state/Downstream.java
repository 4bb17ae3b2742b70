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
    /** A minimum length for splicing that no body reaches. */
    long NO_SPLICE = Long.MAX_VALUE;

    /**
     * Returns the peer of the connection, which is the client or a proxy. {@link ExchangeState#client} returns the
     * client in both cases.
     */
    InetSocketAddress peer();

    /** Returns the PROXY protocol header that describes the client, for origins that require this header. */
    default ProxyHeader proxyHeader() {
        return ProxyHeader.NOBODY;
    }

    /** Returns the forwarding headers that inform origins about this connection of a client. */
    ForwardingHeaders forwarding();

    /** Returns the name of the listener that accepted the client. */
    String listener();

    /** Returns the client's TLS session; null if the connection does not use TLS. */
    default @Nullable TlsSession tls() {
        return null;
    }

    /** Returns how route matching treats path parameters. */
    default ParameterPolicy pathParameters() {
        return ParameterPolicy.AUTO;
    }

    ByteBufAllocator allocator();

    /** Returns whether the gateway is shutting down. If so, it must not start exchanges of unlimited duration. */
    default boolean isDraining() {
        return false;
    }

    /**
     * Returns whether one direction of a tunnel may end before the other direction. If so, {@link #writeEnd} ends only
     * the direction to the client, and bytes that the client sends later are still delivered. The end of the direction
     * from the client is reported as the end of the request.
     */
    default boolean endsByHalves() {
        return false;
    }

    /** Returns whether the write buffer is below its high watermark, so that more may be written. */
    boolean isWritable();

    /**
     * Returns whether the client is a proxy that opened the connection for itself, according to its PROXY protocol
     * header.
     */
    default boolean isOfProxy() {
        return false;
    }

    /** Closes the client's connection after this response and the responses to earlier requests of the client. */
    default void closeAfterResponse() {}

    /** Pauses reading the request until {@link #resumeReading()}. */
    void pauseReading();

    /** Resumes reading the request. The exchange may receive body chunks before this method returns. */
    void resumeReading();

    /**
     * Returns the time, in nanoseconds, for which the client has sent nothing while the gateway reads the request body;
     * 0 if the gateway is not waiting for the client.
     */
    default long bodySilence() {
        return 0;
    }

    /**
     * Returns the write timeout of a tunnel, in nanoseconds: the maximum time for which a side may stop reading while
     * bytes are queued for this side.
     */
    default long writeTimeout() {
        return Long.MAX_VALUE;
    }

    void writeInformational(ResponseHead head);

    /**
     * Writes the head of the final response. This call commits the response.
     *
     * <p>If the head {@linkplain ResponseHead#isTunnel opens a tunnel}, response body chunks are written without
     * framing. Bytes that the client sends in the tunnel are delivered as request body chunks after the next {@link
     * #resumeReading()}.
     */
    void writeHead(ResponseHead head);

    /** Writes a body chunk. This method owns {@code piece}. */
    void writeBody(ByteBuf piece);

    /**
     * Returns the minimum length, in bytes, of bodies that may be {@linkplain SplicedPiece spliced}; {@link #NO_SPLICE}
     * if splicing is impossible. A body may be spliced if no filter reads the body and the client receives the length
     * of the body in advance.
     */
    default long splicesFrom() {
        return NO_SPLICE;
    }

    /**
     * Writes a spliced body chunk. Called only if {@link #splicesFrom} allows splicing. This method owns {@code piece}.
     */
    default void writeBody(SplicedPiece piece) {
        piece.release();
        throw new UnsupportedOperationException("this connection can't send a spliced chunk");
    }

    void writeEnd(HttpHeaders trailers);

    /** Flushes all written data. */
    void flush();

    /**
     * Ends the exchange after a complete response. Called once, and never after {@link #abort()}.
     *
     * @param requestDone whether the whole request has been read; if false, the connection discards the rest of the
     *     request or closes
     */
    void onExchangeEnd(boolean requestDone);

    /** Ends the exchange, and closes the connection in a way that marks the response as incomplete. */
    void abort();

    /**
     * Ends the exchange, like {@link #abort()}, but resets the connection, so that the client does not treat the end as
     * an orderly close.
     */
    default void reset() {
        abort();
    }
}
