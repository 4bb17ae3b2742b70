package com.netflix.zuul.context;

import com.netflix.zuul.filters.FilterError;
import com.netflix.zuul.message.http.HttpResponseMessage;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of an exchange for filters of Zuul 2: a map, with methods for its well-known keys. Used by one filter at a
 * time.
 */
public final class SessionContext extends HashMap<String, Object> {
    private static final long serialVersionUID = 1L;

    private static final String UUID = "_uuid";
    private static final String VIP = "routeVIP";
    private static final String HOST = "routeHost";
    private static final String ENDPOINT = "_endpoint";
    private static final String STATIC_RESPONSE = "_static_response";
    private static final String ERROR = "_error";
    private static final String ERROR_ENDPOINT = "_error-endpoint";
    private static final String EVENTS = "eventProperties";
    private static final String FILTER_ERRORS = "_filter_errors";
    private static final String FILTER_RUNS = "_filter_executions";
    private static final String ORIGIN_DURATION = "_originReportedDuration";

    private transient Map<Key<?>, Object> typed = new HashMap<>();
    private boolean brownout;
    private boolean stopped;
    private boolean sendsError;
    private boolean errorSent;
    private boolean debugRouting;
    private boolean debugRequest;
    private boolean debugHeadersOnly;
    private volatile boolean cancelled;

    /** A key with a type. A key is equal only to itself. */
    public static final class Key<T> {
        private final String name;
        private final @Nullable Supplier<T> otherwise;

        private Key(String name, @Nullable Supplier<T> otherwise) {
            this.name = name;
            this.otherwise = otherwise;
        }

        public String name() {
            return name;
        }

        public @Nullable T defaultValue() {
            return otherwise == null ? null : otherwise.get();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    public SessionContext() {
        put(EVENTS, new HashMap<String, Object>());
        put(FILTER_ERRORS, new ArrayList<FilterError>());
    }

    public static <T> Key<T> newKey(String name) {
        return new Key<>(name, null);
    }

    public static <T> Key<T> newKey(String name, Supplier<T> otherwise) {
        return new Key<>(name, otherwise);
    }

    /** Returns the value of a key, or the default of the key if it has no value; null if the key has neither. */
    @SuppressWarnings("unchecked")
    public <T> @Nullable T get(Key<T> key) {
        T value = (T) typed.get(key);
        return value == null ? key.defaultValue() : value;
    }

    /** @throws NullPointerException if the key has neither a value nor a default */
    public <T> T getOrDefault(Key<T> key) {
        T value = get(key);
        if (value == null) {
            throw new NullPointerException("no value of " + key);
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    public <T> T getOrDefault(Key<T> key, T otherwise) {
        T value = (T) typed.get(key);
        return value == null ? otherwise : value;
    }

    public <T> boolean containsKey(Key<T> key) {
        return typed.containsKey(key);
    }

    @SuppressWarnings("unchecked")
    public <T> @Nullable T put(Key<T> key, T value) {
        return (T) typed.put(key, value);
    }

    @SuppressWarnings("unchecked")
    public <T> @Nullable T remove(Key<T> key) {
        return (T) typed.remove(key);
    }

    public Set<Key<?>> keys() {
        return Set.copyOf(typed.keySet());
    }

    @Override
    public SessionContext clone() {
        SessionContext copy = (SessionContext) super.clone();
        copy.typed = new HashMap<>(typed);
        return copy;
    }

    /** Returns a copy. */
    public SessionContext copy() {
        return clone();
    }

    public @Nullable String getString(String key) {
        return (String) get(key);
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

    /** Returns the identifier of the request. */
    public @Nullable String getUUID() {
        return getString(UUID);
    }

    public void setUUID(String id) {
        set(UUID, id);
    }

    public @Nullable HttpResponseMessage getStaticResponse() {
        return (HttpResponseMessage) get(STATIC_RESPONSE);
    }

    /** Sets the response that is sent in place of a response of the endpoint. */
    public void setStaticResponse(@Nullable HttpResponseMessage response) {
        set(STATIC_RESPONSE, response);
    }

    /** Returns the failure of the exchange. */
    public @Nullable Throwable getError() {
        return (Throwable) get(ERROR);
    }

    public void setError(@Nullable Throwable thrown) {
        set(ERROR, thrown);
    }

    public @Nullable String getErrorEndpoint() {
        return getString(ERROR_ENDPOINT);
    }

    /** Sets the name of the endpoint filter that responds to failures. */
    public void setErrorEndpoint(@Nullable String name) {
        set(ERROR_ENDPOINT, name);
    }

    public boolean shouldSendErrorResponse() {
        return sendsError;
    }

    /** Sets whether the error endpoint responds instead of the chosen endpoint. */
    public void setShouldSendErrorResponse(boolean should) {
        sendsError = should;
    }

    public boolean errorResponseSent() {
        return errorSent;
    }

    public void setErrorResponseSent(boolean sent) {
        errorSent = sent;
    }

    public boolean debugRouting() {
        return debugRouting;
    }

    public void setDebugRouting(boolean debug) {
        debugRouting = debug;
    }

    public boolean debugRequest() {
        return debugRequest;
    }

    public void setDebugRequest(boolean debug) {
        debugRequest = debug;
    }

    public boolean debugRequestHeadersOnly() {
        return debugHeadersOnly;
    }

    public void setDebugRequestHeadersOnly(boolean headersOnly) {
        debugHeadersOnly = headersOnly;
    }

    public void removeRouteHost() {
        remove(HOST);
    }

    /** Sets the origin of the request, which {@code extensions.zuul.route-hosts} must list. */
    public void setRouteHost(@Nullable URL host) {
        set(HOST, host);
    }

    public @Nullable URL getRouteHost() {
        return (URL) get(HOST);
    }

    public @Nullable String getRouteVIP() {
        return getString(VIP);
    }

    /** Sets the upstream of the request by the name that it has in {@code extensions.zuul.vips}. */
    public void setRouteVIP(@Nullable String vip) {
        set(VIP, vip);
    }

    public @Nullable String getEndpoint() {
        return getString(ENDPOINT);
    }

    /** Sets the name of the endpoint filter that responds. */
    public void setEndpoint(@Nullable String name) {
        set(ENDPOINT, name);
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
        StringBuilder known = (StringBuilder) putIfAbsent(FILTER_RUNS, none);
        return known == null ? none : known;
    }

    public boolean isInBrownoutMode() {
        return brownout;
    }

    public void setInBrownoutMode() {
        brownout = true;
    }

    public boolean shouldStopFilterProcessing() {
        return stopped;
    }

    /**
     * Prevents later filters from running, except filters for which {@link
     * com.netflix.zuul.filters.ZuulFilter#overrideStopFilterProcessing} returns true.
     */
    public void stopFilterProcessing() {
        stopped = true;
    }

    public void setEventProperty(String key, Object value) {
        getEventProperties().put(key, value);
    }

    @SuppressWarnings("unchecked")
    public Map<String, Object> getEventProperties() {
        return (Map<String, Object>) computeIfAbsent(EVENTS, absent -> new HashMap<String, Object>());
    }

    @SuppressWarnings("unchecked")
    public List<FilterError> getFilterErrors() {
        return (List<FilterError>) computeIfAbsent(FILTER_ERRORS, absent -> new ArrayList<FilterError>());
    }

    public void setOriginReportedDuration(int duration) {
        put(ORIGIN_DURATION, duration);
    }

    public int getOriginReportedDuration() {
        return get(ORIGIN_DURATION) instanceof Integer duration ? duration : -1;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    public void cancel() {
        cancelled = true;
    }
}
