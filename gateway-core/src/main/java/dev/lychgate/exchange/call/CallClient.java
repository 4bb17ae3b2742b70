package dev.lychgate.exchange.call;

import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.proxyprotocol.ProxyHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;

/**
 * The downstream side of a call. A call has no client connection: its request is complete from the beginning, and no
 * response is written. This object keeps no reference to the exchange, which may end before the call.
 *
 * @param peer the client of the exchange; balancers may choose an endpoint by this client
 * @param proxyHeader the PROXY protocol header for origins that require one
 */
record CallClient(
        InetSocketAddress peer,
        ForwardingHeaders forwarding,
        String listener,
        ByteBufAllocator allocator,
        ProxyHeader proxyHeader)
        implements Downstream {
    /**
     * Returns the downstream side of a call-out. The PROXY protocol header names no client, because a filter sends a
     * call-out on its own behalf.
     */
    static CallClient of(ExchangeState exchange) {
        return with(exchange, ProxyHeader.NOBODY);
    }

    /** Returns the downstream side of a mirror copy. The PROXY protocol header names the client of the exchange. */
    static CallClient copied(ExchangeState exchange) {
        return with(exchange, exchange.proxyHeader());
    }

    private static CallClient with(ExchangeState exchange, ProxyHeader header) {
        Downstream client = exchange.downstream();
        return new CallClient(exchange.client(), client.forwarding(), client.listener(), client.allocator(), header);
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public void pauseReading() {}

    @Override
    public void resumeReading() {}

    @Override
    public void flush() {}

    @Override
    public void writeInformational(ResponseHead head) {
        throw nothing();
    }

    @Override
    public void writeHead(ResponseHead head) {
        throw nothing();
    }

    @Override
    public void writeBody(ByteBuf piece) {
        piece.release();
        throw nothing();
    }

    @Override
    public void writeEnd(HttpHeaders trailers) {
        throw nothing();
    }

    @Override
    public void onExchangeEnd(boolean requestDone) {
        throw nothing();
    }

    @Override
    public void abort() {
        throw nothing();
    }

    private static IllegalStateException nothing() {
        return new IllegalStateException("a call-out has no client");
    }
}
