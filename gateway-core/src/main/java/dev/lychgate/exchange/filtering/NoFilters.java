package dev.lychgate.exchange.filtering;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.error.GatewayError;
import dev.lychgate.exchange.state.FilterStage;
import dev.lychgate.filter.AttributeKey;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.route.Route;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The filtering of an exchange that no filter has met: bodies pass as they arrive. Stateless. */
public final class NoFilters implements Filtering {
    public static final NoFilters INSTANCE = new NoFilters();

    private NoFilters() {}

    @Override
    public boolean isActive() {
        return false;
    }

    @Override
    public void run(FilterStage stage, FilterSlot[] chain) {
        throw new IllegalStateException("a chain without filters runs in stage " + stage);
    }

    @Override
    public void traceInto(ResponseHead head) {}

    @Override
    public void cancel() {}

    @Override
    public void close() {}

    @Override
    public <T> @Nullable T attribute(AttributeKey<T> key) {
        return null;
    }

    @Override
    public @Nullable Route takeRoute() {
        return null;
    }

    @Override
    public @Nullable ProxyTarget target(Route route, @Nullable ProxyTarget target) {
        return target;
    }

    @Override
    public boolean takeRequestChunk(ByteBuf chunk) {
        return false;
    }

    @Override
    public boolean takeRequestEnd(HttpHeaders trailers) {
        return false;
    }

    @Override
    public @Nullable GatewayError frameRequest(RequestHead head) {
        return null;
    }

    @Override
    public boolean sendWholeRequest(BodySink to) {
        return false;
    }

    @Override
    public boolean holdsWholeRequest() {
        return false;
    }

    @Override
    public boolean isRequestSent() {
        return false;
    }

    @Override
    public boolean relayRequest(ByteBuf chunk, BodySink to) {
        to.sendBody(chunk);
        return true;
    }

    @Override
    public boolean relayHeldRequest(BodySink to) {
        return true;
    }

    @Override
    public boolean hasUnsentRequest() {
        return false;
    }

    @Override
    public boolean endRequest(HttpHeaders trailers, BodySink to) {
        to.sendEnd(trailers);
        return true;
    }

    @Override
    public boolean takeResponseChunk(ByteBuf chunk) {
        return false;
    }

    @Override
    public boolean takeResponseEnd(HttpHeaders trailers) {
        return false;
    }

    @Override
    public boolean holdLocalResponse(ByteBuf body) {
        return false;
    }

    @Override
    public void dropResponse() {}

    @Override
    public @Nullable GatewayError frameResponse(ResponseHead head, boolean toHead, boolean unseen) {
        if (head.status() == 205) {
            ResponseFraming.replaced(head, 0, toHead);
        }
        return null;
    }

    @Override
    public Delivery deliver(ResponseHead head, BodySink to) {
        return Delivery.NOT_HELD;
    }

    @Override
    public boolean deliverTunnel(Consumer<ByteBuf> to) {
        return false;
    }

    @Override
    public boolean relayResponse(ByteBuf chunk, BodySink to) {
        to.sendBody(chunk);
        return true;
    }

    @Override
    public void endResponse(ResponseHead head, HttpHeaders trailers, BodySink to) {
        to.sendEnd(trailers);
    }

    @Override
    public void flushResponse(ResponseHead head, BodySink to) {}

    @Override
    public boolean relayHeldResponse(ResponseHead head, BodySink to) {
        return true;
    }
}
