package dev.lychgate.perf;

import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.Via;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A client that reads all bytes and keeps only the last status. */
final class Sink implements Downstream {
    private final InetSocketAddress peer = new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
    private final ForwardingHeaders forwarding = new ForwardingHeaders(peer.getAddress(), 80, new Via("benchmark"));
    private int status;

    int status() {
        return status;
    }

    @Override
    public InetSocketAddress peer() {
        return peer;
    }

    @Override
    public ForwardingHeaders forwarding() {
        return forwarding;
    }

    @Override
    public String listener() {
        return "main";
    }

    @Override
    public ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
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
    public void writeInformational(ResponseHead head) {}

    @Override
    public void writeHead(ResponseHead head) {
        status = head.status();
    }

    @Override
    public void writeBody(ByteBuf piece) {
        piece.release();
    }

    @Override
    public void writeEnd(HttpHeaders trailers) {}

    @Override
    public void flush() {}

    @Override
    public void onExchangeEnd(boolean requestDone) {}

    @Override
    public void abort() {}
}
