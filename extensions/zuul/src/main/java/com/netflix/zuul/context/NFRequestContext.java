package com.netflix.zuul.context;

import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A context with methods for additional keys: the VIP, the body of the request, and the properties of events. */
public class NFRequestContext extends RequestContext {
    private static final long serialVersionUID = 1L;

    private static final String VIP = "routeVIP";
    private static final String ENTITY = "requestEntity";
    private static final String EVENTS = "eventProperties";

    /** @throws ClassCastException if filters have set another class of contexts */
    public static NFRequestContext getCurrentContext() {
        return (NFRequestContext) RequestContext.getCurrentContext();
    }

    public @Nullable String getRouteVIP() {
        return (String) get(VIP);
    }

    /** Sets the upstream of the request by the name that it has in {@code extensions.zuul.vips}. */
    public void setRouteVIP(@Nullable String vip) {
        set(VIP, vip);
    }

    /** Returns whether a filter has chosen the origin. */
    public boolean hasRouteVIPOrHost() {
        return getRouteVIP() != null || getRouteHost() != null;
    }

    public @Nullable InputStream getRequestEntity() {
        return (InputStream) get(ENTITY);
    }

    /** Replaces the body of the request. */
    public void setRequestEntity(@Nullable InputStream body) {
        set(ENTITY, body);
    }

    /** Returns the group under which counters count the request; null if filters have set no group. */
    public @Nullable String getRoute() {
        return (String) get("route");
    }

    public void setEventProperty(String key, Object value) {
        getEventProperties().put(key, value);
    }

    /** Returns the properties of the event of this request. Only filters use them. */
    @SuppressWarnings("unchecked")
    public Map<String, Object> getEventProperties() {
        return (Map<String, Object>) computeIfAbsent(EVENTS, absent -> new HashMap<String, Object>());
    }
}
