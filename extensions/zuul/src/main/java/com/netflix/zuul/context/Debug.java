package com.netflix.zuul.context;

import java.util.ArrayList;
import java.util.List;

/** The debug notes of the current request. */
public class Debug {
    public static void setDebugRequest(boolean debug) {
        RequestContext.getCurrentContext().setDebugRequest(debug);
    }

    public static void setDebugRequestHeadersOnly(boolean headersOnly) {
        RequestContext.getCurrentContext().setDebugRequestHeadersOnly(headersOnly);
    }

    public static boolean debugRequestHeadersOnly() {
        return RequestContext.getCurrentContext().debugRequestHeadersOnly();
    }

    public static void setDebugRouting(boolean debug) {
        RequestContext.getCurrentContext().setDebugRouting(debug);
    }

    public static boolean debugRequest() {
        return RequestContext.getCurrentContext().debugRequest();
    }

    public static boolean debugRouting() {
        return RequestContext.getCurrentContext().debugRouting();
    }

    public static void addRoutingDebug(String line) {
        getRoutingDebug().add(line);
    }

    public static List<String> getRoutingDebug() {
        return lines("routingDebug");
    }

    public static void addRequestDebug(String line) {
        getRequestDebug().add(line);
    }

    public static List<String> getRequestDebug() {
        return lines("requestDebug");
    }

    @SuppressWarnings("unchecked")
    private static List<String> lines(String key) {
        return (List<String>)
                RequestContext.getCurrentContext().computeIfAbsent(key, absent -> new ArrayList<String>());
    }

    /**
     * Adds a debug note for each entry of the current context that is missing in {@code copy} or has another value
     * there.
     */
    public static void compareContextState(String filterName, RequestContext copy) {
        RequestContext context = RequestContext.getCurrentContext();
        for (String key : List.copyOf(context.keySet())) {
            Object now = context.get(key);
            Object before = copy.get(key);
            if (key.equals("routingDebug") || key.equals("requestDebug") || now == null) {
                continue;
            }
            if (before == null) {
                addRoutingDebug("{" + filterName + "} added " + key + "=" + now);
            } else if (!before.equals(now)) {
                addRoutingDebug("{" + filterName + "} changed " + key + "=" + now);
            }
        }
    }

    public static void setDebugRequest(SessionContext context, boolean debug) {
        context.setDebugRequest(debug);
    }

    public static void setDebugRequestHeadersOnly(SessionContext context, boolean headersOnly) {
        context.setDebugRequestHeadersOnly(headersOnly);
    }

    public static void setDebugRouting(SessionContext context, boolean debug) {
        context.setDebugRouting(debug);
    }

    public static boolean debugRequest(SessionContext context) {
        return context.debugRequest();
    }

    public static boolean debugRequestHeadersOnly(SessionContext context) {
        return context.debugRequestHeadersOnly();
    }

    public static boolean debugRouting(SessionContext context) {
        return context.debugRouting();
    }

    public static void addRoutingDebug(SessionContext context, String line) {
        getRoutingDebug(context).add(line);
    }

    public static List<String> getRoutingDebug(SessionContext context) {
        return lines(context, "routingDebug");
    }

    public static void addRequestDebug(SessionContext context, String line) {
        getRequestDebug(context).add(line);
    }

    public static List<String> getRequestDebug(SessionContext context) {
        return lines(context, "requestDebug");
    }

    @SuppressWarnings("unchecked")
    private static List<String> lines(SessionContext context, String key) {
        return (List<String>) context.computeIfAbsent(key, absent -> new ArrayList<String>());
    }
}
