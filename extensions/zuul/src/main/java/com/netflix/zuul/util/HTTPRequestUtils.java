package com.netflix.zuul.util;

import com.netflix.zuul.context.RequestContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** Reads parts of the current request. */
public class HTTPRequestUtils {
    public static final String X_FORWARDED_FOR_HEADER = "x-forwarded-for";
    private static final HTTPRequestUtils INSTANCE = new HTTPRequestUtils();

    public static HTTPRequestUtils getInstance() {
        return INSTANCE;
    }

    /**
     * Returns the client's address: the first address in X-Forwarded-For, or the address of the connection if the field
     * is missing.
     */
    public String getClientIP(HttpServletRequest request) {
        String forwarded = request.getHeader(X_FORWARDED_FOR_HEADER);
        String client = forwarded == null ? null : extractClientIpFromXForwardedFor(forwarded);
        return client == null ? request.getRemoteAddr() : client;
    }

    /** Returns the first address in the value of X-Forwarded-For; null if there is none. */
    public final @Nullable String extractClientIpFromXForwardedFor(@Nullable String header) {
        if (header == null) {
            return null;
        }
        String first = header.split(",", 2)[0].trim();
        return first.isEmpty() ? null : first;
    }

    public @Nullable String getHeaderValue(String name) {
        return request().getHeader(name);
    }

    public @Nullable String getFormValue(String name) {
        return request().getParameter(name);
    }

    /** Returns the values of each header, by its name in lower case. */
    public Map<String, List<String>> getRequestHeaderMap() {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        HttpServletRequest request = request();
        request.getHeaderNames()
                .asIterator()
                .forEachRemaining(name -> request.getHeaders(name)
                        .asIterator()
                        .forEachRemaining(value -> headers.computeIfAbsent(
                                        name.toLowerCase(java.util.Locale.ROOT), key -> new ArrayList<>())
                                .add(value)));
        return headers;
    }

    /** Returns the parameters of the query, decoded, and keeps them in the context; null if there is no query. */
    public @Nullable Map<String, List<String>> getQueryParams() {
        RequestContext context = RequestContext.getCurrentContext();
        Map<String, List<String>> known = context.getRequestQueryParams();
        String query = request().getQueryString();
        if (known != null || query == null) {
            return known;
        }
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            if (!name.isEmpty()) {
                parameters
                        .computeIfAbsent(decoded(name), key -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(part.substring(equals + 1)));
            }
        }
        context.setRequestQueryParams(parameters);
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    /**
     * Returns the value of the header with this name. If there is no such header, returns the value of the form field
     * with this name. If there is no such field, returns the value of the query parameter with this name. Returns null
     * if none of the three exists.
     */
    public @Nullable String getValueFromRequestElements(String name) {
        String header = getHeaderValue(name);
        if (header != null) {
            return header;
        }
        String field = getFormValue(name);
        if (field != null) {
            return field;
        }
        Map<String, List<String>> query = getQueryParams();
        List<String> values = query == null ? null : query.get(name);
        return values == null || values.isEmpty() ? null : values.get(0);
    }

    /** Returns whether the value of Content-Encoding is gzip. */
    public boolean isGzipped(@Nullable String contentEncoding) {
        return contentEncoding != null && contentEncoding.contains("gzip");
    }

    private static HttpServletRequest request() {
        return RequestContext.getCurrentContext().getRequest();
    }
}
