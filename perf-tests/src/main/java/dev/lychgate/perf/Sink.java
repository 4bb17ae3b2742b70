package dev.lychgate.perf;

import dev.lychgate.exchange.Downstream;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.Via;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;

/** A client that takes everything and keeps nothing but the last status. */
final class Sink implements Downstream {
    private final InetAddress address = InetAddress.getLoopbackAddress();
    private final ForwardingHeaders forwarding = new ForwardingHeaders(address, 80, false, false, new Via("benchmark"));
    private int status;

    int status() {
        return status;
    }

    @Override
    public InetAddress clientAddress() {
        return address;
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
