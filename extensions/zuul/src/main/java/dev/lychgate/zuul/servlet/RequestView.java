package dev.lychgate.zuul.servlet;

import com.netflix.zuul.http.ServletInputStreamWrapper;
import dev.lychgate.config.IpLiteral;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.servlet.ServletInputStream;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/**
 * The request of an exchange, including the changes by earlier filters of the gateway. Only the running filter can use
 * the view: it is attached to the exchange before each filter and detached after it.
 */
public final class RequestView extends RefusedRequest {
    /** The media type of forms. */
    public static final String FORM = "application/x-www-form-urlencoded";

    private static final String NOT_KEPT =
            "the request body is not kept for this filter; add the filter to extensions.zuul.buffer";

    private final RequestAttributes attributes = new RequestAttributes();
    private @Nullable FilterExchange exchange;
    private byte @Nullable [] body;
    private @Nullable String encoding;

    /** Attaches the view to the exchange of the filter that runs. */
    public void attach(FilterExchange of) {
        exchange = of;
    }

    /** Detaches the view from the exchange after the filter. */
    public void detach() {
        exchange = null;
    }

    private FilterExchange exchange() {
        FilterExchange of = exchange;
        if (of == null) {
            throw new IllegalStateException("the request is used while no filter of its exchange runs");
        }
        return of;
    }

    private FilterRequest request() {
        return exchange().getRequest();
    }

    private RequestFields fields() {
        return new RequestFields(request());
    }

    @Override
    public String getMethod() {
        return request().getMethod();
    }

    @Override
    public String getRequestURI() {
        return request().getPath();
    }

    @Override
    public StringBuffer getRequestURL() {
        return new StringBuffer(getScheme())
                .append("://")
                .append(request().getHost())
                .append(getRequestURI());
    }

    @Override
    public @Nullable String getQueryString() {
        return request().getQuery();
    }

    @Override
    public String getPathInfo() {
        return request().getPath();
    }

    @Override
    public String getProtocol() {
        return request().getProtocol();
    }

    @Override
    public String getScheme() {
        return request().getScheme();
    }

    @Override
    public boolean isSecure() {
        return getScheme().equals("https");
    }

    @Override
    public String getServerName() {
        String host = request().getHost();
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    }

    @Override
    public int getServerPort() {
        return request().getPort();
    }

    @Override
    public String getRemoteAddr() {
        return IpLiteral.text(exchange().getClientAddress());
    }

    @Override
    public String getRemoteHost() {
        return getRemoteAddr();
    }

    @Override
    public @Nullable String getHeader(String name) {
        List<String> values = fields().values(name);
        return values.isEmpty() ? null : values.get(0);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(fields().values(name));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(fields().names());
    }

    @Override
    public int getIntHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : Integer.parseInt(value.trim());
    }

    @Override
    public long getDateHeader(String name) {
        return RequestFields.date(getHeader(name));
    }

    @Override
    public @Nullable String getContentType() {
        return getHeader("content-type");
    }

    @Override
    public int getContentLength() {
        long length = getContentLengthLong();
        return length > Integer.MAX_VALUE ? -1 : (int) length;
    }

    @Override
    public long getContentLengthLong() {
        return fields().contentLength();
    }

    @Override
    public @Nullable String getCharacterEncoding() {
        return encoding == null ? RequestFields.charset(getContentType()) : encoding;
    }

    @Override
    public void setCharacterEncoding(String name) {
        encoding = Charset.forName(name).name();
    }

    @Override
    public Cookie @Nullable [] getCookies() {
        Map<String, String> cookies = request().getCookies();
        return cookies.isEmpty()
                ? null
                : cookies.entrySet().stream()
                        .map(each -> new Cookie(each.getKey(), each.getValue()))
                        .toArray(Cookie[]::new);
    }

    @Override
    public Locale getLocale() {
        return fields().locales().get(0);
    }

    @Override
    public Enumeration<Locale> getLocales() {
        return Collections.enumeration(fields().locales());
    }

    // ---- body

    private byte[] body() {
        byte[] read = body;
        if (read == null) {
            FilterRequest of = request();
            try {
                read = of.getBody();
            } catch (IllegalStateException e) {
                throw new IllegalStateException(NOT_KEPT, e);
            }
            body = read;
        }
        return read;
    }

    /** @throws IllegalStateException if the gateway has not buffered the body for the filter */
    @Override
    public ServletInputStream getInputStream() {
        return new ServletInputStreamWrapper(body());
    }

    /** @throws IllegalStateException if the gateway has not buffered the body for the filter */
    @Override
    public BufferedReader getReader() {
        String name = getCharacterEncoding();
        Charset charset = name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
        return new BufferedReader(new InputStreamReader(new ByteArrayInputStream(body()), charset));
    }

    // ---- parameters

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterValues(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    /**
     * Returns the parameters of the query and, if the body is a form, the fields of the form.
     *
     * @throws IllegalStateException if the body is a form, and the gateway has not buffered the body for the filter
     */
    @Override
    public Map<String, String[]> getParameterMap() {
        boolean isForm = FORM.equals(request().getMediaType()) && fields().contentLength() != 0;
        return RequestFields.parameters(request().getQueryParameters(), isForm ? text() : "");
    }

    private String text() {
        return new String(body(), StandardCharsets.UTF_8);
    }

    // ---- attributes

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return attributes.names();
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        attributes.set(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        attributes.set(name, null);
    }
}
