package com.netflix.zuul.context;

import com.netflix.util.Pair;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The state of a request: a map, with methods for its well-known keys. The gateway binds the context to the thread of a
 * filter while the filter runs. Code on another thread passes the context itself, or {@link #copy}.
 */
public class RequestContext extends ConcurrentHashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    private static final int NO_STATUS = 500;

    /** The class of new contexts; null if filters have set no class. */
    private static volatile @Nullable Class<? extends RequestContext> contextClass;

    private static volatile @Nullable RequestContext forTests;
    private static final ThreadLocal<@Nullable RequestContext> CURRENT = new ThreadLocal<>();

    /**
     * Sets the class of all contexts that are created later. The class must have a public constructor without
     * parameters.
     */
    public static void setContextClass(Class<? extends RequestContext> type) {
        contextClass = type;
    }

    /** Sets the context of all threads, for tests of filters; null restores the context of each thread. */
    public static void testSetCurrentContext(@Nullable RequestContext context) {
        forTests = context;
    }

    /**
     * Returns the context of the request that the thread processes. Outside of filters, the context is new and empty.
     */
    public static RequestContext getCurrentContext() {
        RequestContext test = forTests;
        if (test != null) {
            return test;
        }
        RequestContext bound = CURRENT.get();
        if (bound == null) {
            bound = create();
            CURRENT.set(bound);
        }
        return bound;
    }

    static RequestContext create() {
        Class<? extends RequestContext> type = contextClass;
        if (type == null) {
            return new NFRequestContext();
        }
        try {
            return type.getConstructor().newInstance();
        } catch (InstantiationException | IllegalAccessException | NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no public constructor without parameters", e);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Removes the context from the current thread. */
    public void unset() {
        CURRENT.remove();
    }

    static void bind(RequestContext context) {
        CURRENT.set(context);
    }

    static void release() {
        CURRENT.remove();
    }

    /**
     * Returns a new context with the entries of this context. Lists and maps are copied, and all other values are
     * shared.
     */
    public RequestContext copy() {
        RequestContext copy = create();
        forEach((key, value) -> copy.put(
                key,
                value instanceof ArrayList<?> list
                        ? new ArrayList<>(list)
                        : value instanceof HashMap<?, ?> map ? new HashMap<>(map) : value));
        return copy;
    }

    public boolean getBoolean(String key) {
        return getBoolean(key, false);
    }

    public boolean getBoolean(String key, boolean otherwise) {
        Object value = get(key);
        return value == null ? otherwise : (Boolean) value;
    }

    /** Sets a key to true. */
    public void set(String key) {
        put(key, true);
    }

    /** Sets a key; null removes it. */
    public void set(String key, @Nullable Object value) {
        if (value == null) {
            remove(key);
        } else {
            put(key, value);
        }
    }

    private <T> @Nullable T value(Class<T> type, String key) {
        return type.cast(get(key));
    }

    @SuppressWarnings("unchecked")
    private List<Pair<String, String>> pairs(String key) {
        return (List<Pair<String, String>>) computeIfAbsent(key, absent -> new ArrayList<Pair<String, String>>());
    }

    public boolean getZuulEngineRan() {
        return getBoolean("zuulEngineRan");
    }

    public void setZuulEngineRan() {
        set("zuulEngineRan");
    }

    /** Returns the request; null outside of filters. */
    @SuppressWarnings("NullAway")
    public HttpServletRequest getRequest() {
        return value(HttpServletRequest.class, "request");
    }

    /**
     * Replaces the request with a wrapper. The method and the body of the wrapper are sent to the origin; its headers
     * are not sent.
     */
    public void setRequest(HttpServletRequest request) {
        put("request", request);
    }

    /** Returns the response; null outside of filters. */
    @SuppressWarnings("NullAway")
    public HttpServletResponse getResponse() {
        return value(HttpServletResponse.class, "response");
    }

    public void setResponse(HttpServletResponse response) {
        set("response", response);
    }

    /** Returns the failure of the request, for error filters. */
    public @Nullable Throwable getThrowable() {
        return value(Throwable.class, "throwable");
    }

    public void setThrowable(Throwable thrown) {
        put("throwable", thrown);
    }

    public void setDebugRouting(boolean debug) {
        set("debugRouting", debug);
    }

    public boolean debugRouting() {
        return getBoolean("debugRouting");
    }

    public void setDebugRequestHeadersOnly(boolean headersOnly) {
        set("debugRequestHeadersOnly", headersOnly);
    }

    public boolean debugRequestHeadersOnly() {
        return getBoolean("debugRequestHeadersOnly");
    }

    public void setDebugRequest(boolean debug) {
        set("debugRequest", debug);
    }

    public boolean debugRequest() {
        return getBoolean("debugRequest");
    }

    public void removeRouteHost() {
        remove("routeHost");
    }

    /** Sets the origin of the request, which {@code extensions.zuul.route-hosts} must list. */
    public void setRouteHost(@Nullable URL host) {
        set("routeHost", host);
    }

    public @Nullable URL getRouteHost() {
        return value(URL.class, "routeHost");
    }

    /**
     * Records the run of a filter.
     *
     * @param time in milliseconds
     */
    public void addFilterExecutionSummary(String name, String status, long time) {
        StringBuilder summary = getFilterExecutionSummary();
        if (!summary.isEmpty()) {
            summary.append(", ");
        }
        summary.append(name)
                .append('[')
                .append(status)
                .append("][")
                .append(time)
                .append("ms]");
    }

    public StringBuilder getFilterExecutionSummary() {
        StringBuilder none = new StringBuilder();
        StringBuilder known = (StringBuilder) putIfAbsent("executedFilters", none);
        return known == null ? none : known;
    }

    /** Replaces the body of the response with a text in UTF-8. */
    public void setResponseBody(@Nullable String body) {
        set("responseBody", body);
    }

    public @Nullable String getResponseBody() {
        return value(String.class, "responseBody");
    }

    /** Replaces the body of the response. */
    public void setResponseDataStream(@Nullable InputStream body) {
        set("responseDataStream", body);
    }

    public void setResponseGZipped(boolean gzipped) {
        put("responseGZipped", gzipped);
    }

    public boolean getResponseGZipped() {
        return getBoolean("responseGZipped", true);
    }

    /** Returns the body of the response; null if there is no response yet. */
    public @Nullable InputStream getResponseDataStream() {
        return value(InputStream.class, "responseDataStream");
    }

    public boolean sendZuulResponse() {
        return getBoolean("sendZuulResponse", true);
    }

    /** Sets whether the request is sent to the origin. */
    public void setSendZuulResponse(boolean send) {
        set("sendZuulResponse", send);
    }

    /** Returns the status of the response; 500 if it is not set. */
    public int getResponseStatusCode() {
        Object status = get("responseStatusCode");
        return status == null ? NO_STATUS : (Integer) status;
    }

    public void setResponseStatusCode(int status) {
        HttpServletResponse response = getResponse();
        if (response != null) {
            response.setStatus(status);
        }
        set("responseStatusCode", status);
    }

    /** Sets a header of the request to the origin. */
    public void addZuulRequestHeader(String name, String value) {
        getZuulRequestHeaders().put(name.toLowerCase(Locale.ROOT), value);
    }

    /** Returns the headers that filters have set for the request to the origin. They replace headers of the client. */
    @SuppressWarnings("unchecked")
    public Map<String, String> getZuulRequestHeaders() {
        return (Map<String, String>) computeIfAbsent("zuulRequestHeaders", key -> new HashMap<String, String>());
    }

    /** Adds a header to the response. */
    public void addZuulResponseHeader(String name, String value) {
        getZuulResponseHeaders().add(new Pair<>(name, value));
    }

    /** Returns the headers of the response. After the origin has responded, they include the headers of the origin. */
    public List<Pair<String, String>> getZuulResponseHeaders() {
        return pairs("zuulResponseHeaders");
    }

    /** Returns the headers that the origin has sent. */
    public List<Pair<String, String>> getOriginResponseHeaders() {
        return pairs("originResponseHeaders");
    }

    public void addOriginResponseHeader(String name, String value) {
        getOriginResponseHeaders().add(new Pair<>(name, value));
    }

    /** Returns the declared length of the response of the origin; null if it declares none. */
    public @Nullable Long getOriginContentLength() {
        return value(Long.class, "originContentLength");
    }

    public void setOriginContentLength(@Nullable Long length) {
        set("originContentLength", length);
    }

    /** Sets the declared length of the origin's response. A text that is not a number is ignored. */
    public void setOriginContentLength(String length) {
        try {
            set("originContentLength", Long.valueOf(length));
        } catch (NumberFormatException e) {
            // As in Zuul, the length stays unchanged.
        }
    }

    public boolean isChunkedRequestBody() {
        return getBoolean("chunkedRequestBody");
    }

    public void setChunkedRequestBody() {
        set("chunkedRequestBody");
    }

    /** Returns whether the client accepts gzip. */
    public boolean isGzipRequested() {
        String accepted = getRequest().getHeader("accept-encoding");
        return accepted != null && accepted.toLowerCase(Locale.ROOT).contains("gzip");
    }

    /** Returns the query that replaces the query of the request; null if none was set. */
    @SuppressWarnings("unchecked")
    public @Nullable Map<String, List<String>> getRequestQueryParams() {
        return (Map<String, List<String>>) get("requestQueryParams");
    }

    public void setRequestQueryParams(Map<String, List<String>> parameters) {
        put("requestQueryParams", parameters);
    }
}
