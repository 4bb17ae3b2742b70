package dev.lychgate.exchange.call;

import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.exchange.state.ExchangeState;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;

/**
 * The downstream side of a call-out. The request is complete from the beginning, and nothing is written.
 *
 * @param exchange the exchange of the calling filter; balancers use its client
 */
record CallClient(ExchangeState exchange) implements Downstream {
    @Override
    public InetSocketAddress peer() {
        return exchange.client();
    }

    @Override
    public ForwardingHeaders forwarding() {
        return exchange.downstream().forwarding();
    }

    @Override
    public String listener() {
        return exchange.downstream().listener();
    }

    @Override
    public ByteBufAllocator allocator() {
        return exchange.downstream().allocator();
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
