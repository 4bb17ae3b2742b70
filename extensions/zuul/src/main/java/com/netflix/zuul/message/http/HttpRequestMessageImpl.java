package com.netflix.zuul.message.http;

import com.netflix.zuul.context.SessionContext;
import com.netflix.zuul.message.Headers;
import com.netflix.zuul.message.ZuulMessageImpl;
import io.netty.handler.codec.http.cookie.ServerCookieDecoder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request in memory. */
public class HttpRequestMessageImpl extends ZuulMessageImpl implements HttpRequestMessage {
    private String protocol;
    private String method;
    private String path;
    private HttpQueryParams queryParams;
    private String clientIp;
    private String scheme;
    private int port;
    private String serverName;
    private @Nullable HttpRequestInfo inbound;

    public HttpRequestMessageImpl(
            SessionContext context,
            String protocol,
            String method,
            String path,
            HttpQueryParams queryParams,
            Headers headers,
            String clientIp,
            String scheme,
            int port,
            String serverName) {
        super(context, headers);
        this.protocol = protocol;
        this.method = method;
        this.path = path;
        this.queryParams = queryParams;
        this.clientIp = clientIp;
        this.scheme = scheme;
        this.port = port;
        this.serverName = serverName;
    }

    @Override
    public String getProtocol() {
        return protocol;
    }

    @Override
    public void setProtocol(String value) {
        protocol = value;
    }

    @Override
    public String getMethod() {
        return method;
    }

    @Override
    public void setMethod(String value) {
        method = Objects.requireNonNull(value);
    }

    @Override
    public String getPath() {
        return path;
    }

    @Override
    public void setPath(String value) {
        path = Objects.requireNonNull(value);
    }

    @Override
    public HttpQueryParams getQueryParams() {
        return queryParams;
    }

    @Override
    public void setQueryParams(HttpQueryParams value) {
        queryParams = Objects.requireNonNull(value);
    }

    @Override
    public String getPathAndQuery() {
        String query = queryParams.toEncodedString();
        return query.isEmpty() ? path : path + "?" + query;
    }

    @Override
    public String getClientIp() {
        return clientIp;
    }

    @Override
    public void setClientIp(String value) {
        clientIp = value;
    }

    @Override
    public String getScheme() {
        return scheme;
    }

    @Override
    public void setScheme(String value) {
        scheme = value;
    }

    @Override
    public int getPort() {
        return port;
    }

    @Override
    public void setPort(int value) {
        port = value;
    }

    @Override
    public String getServerName() {
        return serverName;
    }

    @Override
    public void setServerName(String value) {
        serverName = value;
    }

    private @Nullable String originalAuthority() {
        String forwarded = getHeaders().getFirst(HttpHeaderNames.X_FORWARDED_HOST);
        return forwarded == null ? getHeaders().getFirst(HttpHeaderNames.HOST) : forwarded;
    }

    private static int portAt(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon > authority.lastIndexOf(']') ? colon : -1;
    }

    @Override
    public @Nullable String getOriginalHost() {
        String authority = originalAuthority();
        if (authority == null) {
            return serverName;
        }
        int colon = portAt(authority);
        return colon < 0 ? authority : authority.substring(0, colon);
    }

    @Override
    public String getOriginalScheme() {
        return getHeaders().getFirst(HttpHeaderNames.X_FORWARDED_PROTO, scheme);
    }

    @Override
    public String getOriginalProtocol() {
        return getHeaders().getFirst(HttpHeaderNames.X_FORWARDED_PROTO_VERSION, protocol);
    }

    @Override
    public int getOriginalPort() {
        String forwarded = getHeaders().getFirst(HttpHeaderNames.X_FORWARDED_PORT);
        String authority = originalAuthority();
        int colon = authority == null ? -1 : portAt(authority);
        try {
            if (forwarded != null) {
                return Integer.parseInt(forwarded.trim());
            }
            return authority == null || colon < 0 ? port : Integer.parseInt(authority.substring(colon + 1));
        } catch (NumberFormatException e) {
            return port;
        }
    }

    @Override
    public String reconstructURI() {
        String originalScheme = getOriginalScheme();
        int originalPort = getOriginalPort();
        boolean isDefault = originalScheme.equals("https") ? originalPort == 443 : originalPort == 80;
        return originalScheme + "://" + getOriginalHost() + (isDefault ? "" : ":" + originalPort) + getPathAndQuery();
    }

    @Override
    public Cookies parseCookies() {
        Cookies cookies = new Cookies();
        for (String field : getHeaders().getAll(HttpHeaderNames.COOKIE)) {
            ServerCookieDecoder.LAX.decodeAll(field).forEach(cookies::add);
        }
        return cookies;
    }

    @Override
    public boolean isMutable() {
        return !getHeaders().isImmutable();
    }

    @Override
    public void storeInboundRequest() {
        inbound = copy(getHeaders().immutableCopy(), queryParams.immutableCopy());
    }

    @Override
    public HttpRequestInfo getInboundRequest() {
        return inbound == null ? this : inbound;
    }

    private HttpRequestMessageImpl copy(Headers headers, HttpQueryParams query) {
        HttpRequestMessageImpl copy = new HttpRequestMessageImpl(
                getContext(), protocol, method, path, query, headers, clientIp, scheme, port, serverName);
        copyTo(copy);
        return copy;
    }

    @Override
    @SuppressWarnings("MissingSuperCall")
    public HttpRequestMessage clone() {
        HttpRequestMessageImpl copy = copy(Headers.copyOf(getHeaders()), queryParams.clone());
        copy.inbound = inbound;
        return copy;
    }

    @Override
    public String getInfoForLogging() {
        return "uri=" + reconstructURI() + ", method=" + method + ", clientip=" + clientIp;
    }

    @Override
    public String toString() {
        return method + " " + getPathAndQuery();
    }
}
