package dev.lychgate.exchange;

import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.Via;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A downstream that records its calls as text. */
final class FakeClient implements Downstream {
    private final List<String> seen = new ArrayList<>();
    private HttpHeaders headers = EmptyHttpHeaders.INSTANCE;
    boolean writable = true;
    /** Thrown once, by the next call of the exchange. */
    @Nullable
    RuntimeException fault;

    private void failOnce() {
        RuntimeException e = fault;
        fault = null;
        if (e != null) {
            throw e;
        }
    }

    /** Of the response. */
    HttpHeaders headers() {
        return headers;
    }

    List<String> seen() {
        return List.copyOf(seen);
    }

    @Override
    public InetSocketAddress peer() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 50_000);
    }

    @Override
    public ForwardingHeaders forwarding() {
        failOnce();
        return new ForwardingHeaders(peer().getAddress(), 80, new Via("lychgate-test"));
    }

    @Override
    public String listener() {
        return "test";
    }

    @Override
    public ByteBufAllocator allocator() {
        failOnce();
        return PooledByteBufAllocator.DEFAULT;
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public void pauseReading() {
        seen.add("pause");
    }

    @Override
    public void resumeReading() {
        seen.add("resume");
    }

    @Override
    public void writeInformational(ResponseHead head) {
        seen.add(Integer.toString(head.status()));
    }

    @Override
    public void writeHead(ResponseHead head) {
        failOnce();
        headers = head.headers();
        seen.add(Integer.toString(head.status()));
    }

    @Override
    public void writeBody(ByteBuf piece) {
        String text = piece.toString(StandardCharsets.US_ASCII);
        seen.add(text.startsWith("{") ? "problem" : "'" + text + "'");
        piece.release();
    }

    @Override
    public void writeEnd(HttpHeaders trailers) {
        seen.add(trailers.isEmpty() ? "end" : "trailers");
    }

    @Override
    public void flush() {}

    @Override
    public void onExchangeEnd(boolean requestDone) {
        seen.add(requestDone ? "over" : "over-early");
    }

    @Override
    public void abort() {
        seen.add("abort");
    }
}
