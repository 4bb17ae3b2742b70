package dev.lychgate.server.shadow;

import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.exchange.state.Downstream;
import dev.lychgate.http.ClientRecords;
import dev.lychgate.http.ForwardingHeaders;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.Via;
import dev.lychgate.tls.TlsSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A simulated client that sends a copy without a body and discards the response. Used only on the thread of the shadow.
 */
final class ShadowClient implements Downstream {
    private static final Via VIA = new Via("lychgate-shadow");

    private final ShadowedRequest request;
    private final ParameterPolicy parameters;
    private boolean over;

    ShadowClient(ShadowedRequest request, ParameterPolicy parameters) {
        this.request = request;
        this.parameters = parameters;
    }

    boolean isOver() {
        return over;
    }

    @Override
    public InetSocketAddress peer() {
        return new InetSocketAddress(request.client(), 0);
    }

    @Override
    public ForwardingHeaders forwarding() {
        return new ForwardingHeaders(
                peer(), request.secure() ? 443 : 80, null, ClientRecords.NONE_NAMED, false, VIA, request.secure());
    }

    @Override
    public String listener() {
        return request.listener();
    }

    @Override
    public @Nullable TlsSession tls() {
        return request.tls();
    }

    @Override
    public ParameterPolicy pathParameters() {
        return parameters;
    }

    @Override
    public ByteBufAllocator allocator() {
        return UnpooledByteBufAllocator.DEFAULT;
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
    public void writeHead(ResponseHead head) {}

    @Override
    public void writeBody(ByteBuf piece) {
        piece.release();
    }

    @Override
    public void writeEnd(HttpHeaders trailers) {}

    @Override
    public void flush() {}

    @Override
    public void onExchangeEnd(boolean requestDone) {
        over = true;
    }

    @Override
    public void abort() {
        over = true;
    }
}
