package dev.lychgate.exchange.filtering;

import dev.lychgate.error.Side;
import dev.lychgate.exchange.filtering.items.ItemBodies;
import dev.lychgate.filter.BodyPart;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.JsonItem;
import dev.lychgate.filter.MultipartLimits;
import dev.lychgate.filter.ServerSentEvent;
import dev.lychgate.filter.TextLine;
import dev.lychgate.filter.Trailers;
import dev.lychgate.http.Authority;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.QueryParameters;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A view through which filters access a request. */
final class RequestView implements FilterRequest {
    private final ViewAccess view;
    private final RequestHead head;
    private final Headers headers;
    private final boolean original;

    /**
     * Creates a view of a request.
     *
     * @param original whether {@code head} is the request as it was before the first filter. Filters can neither change
     *     this request nor access its body
     */
    RequestView(ViewAccess view, RequestHead head, boolean original) {
        this.view = view;
        this.head = head;
        this.original = original;
        this.headers = new HeadersView(view, head.headers(), this);
    }

    void requireChangeable() {
        if (original) {
            throw new IllegalStateException(
                    "the original request has no body and can't be changed; use exchange.request");
        }
        view.requireRequestChangeable();
    }

    void beforeChange(String field) {
        requireChangeable();
        head.filtered(field);
    }

    @Override
    public String getMethod() {
        view.requireValid();
        return head.method().name();
    }

    private void requireNoHandshake() {
        if (head.protocol() != null) {
            throw new IllegalStateException("the method and the body of a WebSocket handshake can't be changed");
        }
    }

    @Override
    public boolean isWebSocket() {
        return head.protocol() != null;
    }

    @Override
    public void setMethod(String method) {
        requireChangeable();
        HttpMethod sendable = RequestTarget.method(method);
        requireNoHandshake();
        head.method(sendable);
    }

    @Override
    public String getPath() {
        view.requireValid();
        return head.path();
    }

    @Override
    public void setPath(String path) {
        requireChangeable();
        head.path(RequestTarget.path(path));
    }

    @Override
    public String getRawPath() {
        view.requireValid();
        return head.rawPath();
    }

    @Override
    public @Nullable String getQuery() {
        view.requireValid();
        return head.query();
    }

    @Override
    public void setQuery(@Nullable String query) {
        requireChangeable();
        head.query(query == null ? null : RequestTarget.query(query));
    }

    @Override
    public @Nullable String queryParameter(String name) {
        List<String> values = queryParameters(name);
        return values.isEmpty() ? null : values.get(0);
    }

    @Override
    public List<String> queryParameters(String name) {
        view.requireValid();
        return QueryParameters.of(head.query(), name);
    }

    @Override
    public Map<String, List<String>> getQueryParameters() {
        view.requireValid();
        return new ReadOnlyMap<>(QueryParameters.all(head.query()), "setQueryParameter or removeQueryParameter");
    }

    @Override
    public void setQueryParameters(String name, List<String> values) {
        requireChangeable();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the name of the query parameter is empty");
        }
        head.query(QueryParameters.with(head.query(), name, values));
    }

    @Override
    public String getScheme() {
        view.requireValid();
        return view.exchange().state().isSecure(head) ? "https" : "http";
    }

    @Override
    public String getProtocol() {
        view.requireValid();
        return head.version().text();
    }

    @Override
    public String getHost() {
        view.requireValid();
        return head.host();
    }

    @Override
    public void setHost(String host) {
        requireChangeable();
        if (!Authority.isValid(host)) {
            throw new IllegalArgumentException("the host is malformed");
        }
        head.host(host);
        head.headers().set(HttpHeaderNames.HOST, host);
    }

    @Override
    public Headers getHeaders() {
        return headers;
    }

    @Override
    public @Nullable String cookie(String name) {
        return getCookies().get(name);
    }

    @Override
    public Map<String, String> getCookies() {
        view.requireValid();
        return new ReadOnlyMap<>(Cookies.of(head.headers()), "setCookie or removeCookie");
    }

    @Override
    public void setCookie(String name, String value) {
        requireChangeable();
        Cookies.requireValid(name, value);
        Cookies.set(head.headers(), name, value);
    }

    @Override
    public void removeCookie(String name) {
        requireChangeable();
        Cookies.remove(head.headers(), name);
    }

    @Override
    public long getContentLength() {
        view.requireValid();
        return switch (head.framing()) {
            case NONE -> 0;
            case LENGTH -> head.contentLength();
            case CHUNKED, UNTIL_CLOSE, TUNNEL -> -1;
        };
    }

    @Override
    public byte[] getBody() {
        view.requireBody();
        requireChangeable();
        return view.exchange().bodies().request().bytes().clone();
    }

    @Override
    public void setBody(byte[] body) {
        requireChangeable();
        requireNoHandshake();
        FilteredBody former = view.exchange().bodies().request();
        former.replace(Objects.requireNonNull(body, "a body is null"));
        former.closeFlow();
        BodyHeaders.replaced(head.headers());
    }

    @Override
    public @Nullable Object getJson() {
        return ReadableBody.requestJson(head.headers(), getBody());
    }

    @Override
    public void setJson(@Nullable Object value) {
        requireChangeable();
        requireNoHandshake();
        setBody(ReadableBody.json(head.headers(), value));
    }

    @Override
    public Map<String, List<String>> getForm() {
        return ReadableBody.form(head.headers(), getBody());
    }

    @Override
    public void setForm(Map<String, ?> fields) {
        requireChangeable();
        requireNoHandshake();
        setBody(ReadableBody.form(head.headers(), fields));
    }

    @Override
    public void transformBody(BodyTransform transform) {
        Objects.requireNonNull(transform, "a transform is null");
        requireChangeable();
        view.exchange().bodies().request().add(transform, view.filter());
        if (transform.changes()) {
            BodyHeaders.changed(head.headers());
        }
    }

    private BodyTail openTail() {
        return view.exchange().bodies().request().openTail(view.exchange());
    }

    @Override
    public void mapBody(UnaryOperator<Flow.Publisher<byte[]>> operator) {
        Objects.requireNonNull(operator, "an operator is null");
        requireChangeable();
        if (!isWebSocket()) {
            openTail().map(view.filter(), operator);
            BodyHeaders.changed(head.headers());
        }
    }

    @Override
    public void onTrailers(Consumer<? super Trailers> action) {
        Objects.requireNonNull(action, "an action is null");
        requireChangeable();
        if (!isWebSocket()) {
            openTail().onTrailers(view.filter(), action);
        }
    }

    @Override
    public void eachEvent(int max, Consumer<? super ServerSentEvent> action) {
        read(ItemBodies.events(Side.DOWNSTREAM, max, action));
    }

    @Override
    public void eachLine(int max, Consumer<? super TextLine> action) {
        read(ItemBodies.lines(Side.DOWNSTREAM, max, action));
    }

    @Override
    public void eachJson(int max, Consumer<? super JsonItem> action) {
        read(ItemBodies.json(Side.DOWNSTREAM, head.headers().get(HttpHeaderNames.CONTENT_TYPE), max, action));
    }

    @Override
    public void eachPart(MultipartLimits limits, Consumer<? super BodyPart> action) {
        read(ItemBodies.parts(head.headers().getAll(HttpHeaderNames.CONTENT_TYPE), limits, action));
    }

    private void read(BodyTransform transform) {
        requireChangeable();
        ReadableBody.requireRequest(head.headers());
        transformBody(transform);
    }
}
