package dev.lychgate.exchange.filtering;

import dev.lychgate.error.Side;
import dev.lychgate.exchange.filtering.items.ItemBodies;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FilterResponse;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.JsonItem;
import dev.lychgate.filter.ResponseCookie;
import dev.lychgate.filter.ServerSentEvent;
import dev.lychgate.filter.TextLine;
import dev.lychgate.filter.Trailers;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A view through which filters access a response. */
final class ResponseView implements FilterResponse {
    private final ViewAccess view;
    private final ResponseHead head;
    private final Headers headers;

    ResponseView(ViewAccess view, ResponseHead head) {
        this.view = view;
        this.head = head;
        this.headers = new HeadersView(view, head.headers(), null);
    }

    ResponseHead head() {
        return head;
    }

    @Override
    public int getStatus() {
        view.requireValid();
        return head.status();
    }

    @Override
    public void setStatus(int status) {
        view.requireValid();
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("the status of a response is " + status + " (expected: 200 to 599)");
        }
        requireNoTunnel();
        head.status(status);
    }

    private void requireNoTunnel() {
        if (head.isTunnel()) {
            throw new IllegalStateException(
                    "a response that accepts a WebSocket can't be changed; the filter may return another response");
        }
    }

    @Override
    public long getContentLength() {
        view.requireValid();
        return switch (head.framing()) {
            case LENGTH -> head.contentLength();
            case NONE -> saidLength();
            case CHUNKED, UNTIL_CLOSE, TUNNEL -> -1;
        };
    }

    /** Returns the length that a head without a body announces; -1 if the head announces no valid length. */
    private long saidLength() {
        String said = head.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        try {
            return said == null ? -1 : Long.parseLong(said);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    @Override
    public Headers getHeaders() {
        return headers;
    }

    @Override
    public void addCookie(String name, String value, String attributes) {
        Cookies.requireValid(name, value);
        headers.add("set-cookie", name + "=" + value + (attributes.isEmpty() ? "" : "; " + attributes));
    }

    @Override
    public ResponseCookie addCookie(String name, String value) {
        return SetCookie.add(headers, name, value);
    }

    @Override
    public List<ResponseCookie> getCookies() {
        return SetCookie.all(headers);
    }

    @Override
    public @Nullable ResponseCookie cookie(String name) {
        for (ResponseCookie cookie : getCookies()) {
            if (cookie.getName().equals(name)) {
                return cookie;
            }
        }
        return null;
    }

    @Override
    public void removeCookie(String name) {
        SetCookie.remove(headers, name);
    }

    @Override
    public byte[] getBody() {
        view.requireBody();
        if (head.isTunnel()) {
            return new byte[0];
        }
        return view.exchange().bodies().response().bytes().clone();
    }

    @Override
    public void setBody(byte[] body) {
        view.requireValid();
        requireNoTunnel();
        FilteredBody former = view.exchange().bodies().response();
        former.replace(Objects.requireNonNull(body, "a body is null"));
        former.closeFlow();
        BodyHeaders.replaced(head.headers());
    }

    @Override
    public @Nullable Object getJson() {
        return ReadableBody.responseJson(head.headers(), head.status(), getBody());
    }

    @Override
    public void setJson(@Nullable Object value) {
        view.requireValid();
        requireNoTunnel();
        setBody(ReadableBody.json(head.headers(), value));
    }

    @Override
    public void transformBody(BodyTransform transform) {
        Objects.requireNonNull(transform, "a transform is null");
        view.requireValid();
        if (head.isTunnel()) {
            // A response that opens a tunnel has no body, so filters that transform all responses have no effect on it.
            return;
        }
        view.exchange().bodies().response().add(transform, view.filter());
        if (transform.changes()) {
            BodyHeaders.changed(head.headers());
        }
    }

    private BodyTail openTail() {
        return view.exchange().bodies().response().openTail(view.exchange());
    }

    @Override
    public void mapBody(UnaryOperator<Flow.Publisher<byte[]>> operator) {
        Objects.requireNonNull(operator, "an operator is null");
        view.requireValid();
        if (head.isTunnel()) {
            return;
        }
        openTail().map(view.filter(), operator);
        BodyHeaders.changed(head.headers());
    }

    @Override
    public void onTrailers(Consumer<? super Trailers> action) {
        Objects.requireNonNull(action, "an action is null");
        view.requireValid();
        if (head.headers().contains(Grpc.STATUS)) {
            TrailersView trailers = new TrailersView(head.headers());
            try {
                action.accept(trailers);
            } finally {
                trailers.revoke();
            }
        } else if (head.framing() != BodyFraming.NONE && head.framing() != BodyFraming.TUNNEL) {
            openTail().onTrailers(view.filter(), action);
        }
    }

    @Override
    public void eachEvent(int max, Consumer<? super ServerSentEvent> action) {
        read(ItemBodies.events(Side.UPSTREAM, max, action));
    }

    @Override
    public void eachLine(int max, Consumer<? super TextLine> action) {
        read(ItemBodies.lines(Side.UPSTREAM, max, action));
    }

    @Override
    public void eachJson(int max, Consumer<? super JsonItem> action) {
        read(ItemBodies.json(Side.UPSTREAM, head.headers().get(HttpHeaderNames.CONTENT_TYPE), max, action));
    }

    private void read(BodyTransform transform) {
        view.requireValid();
        if (head.framing() != BodyFraming.NONE && head.framing() != BodyFraming.TUNNEL) {
            ReadableBody.requireResponse(head.headers(), head.status());
        }
        transformBody(transform);
    }
}
