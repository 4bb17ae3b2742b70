package com.netflix.zuul.filters;

import com.netflix.config.DynamicPropertyFactory;
import com.netflix.zuul.ZuulFilter;
import com.netflix.zuul.constants.ZuulConstants;
import com.netflix.zuul.constants.ZuulHeaders;
import com.netflix.zuul.context.RequestContext;
import com.netflix.zuul.util.HTTPRequestUtils;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends matching requests to another origin, which the property {@code zuul.debug.vip} or {@code zuul.debug.host}
 * names. The property {@code zuul.debugFilters.disabled} disables all filters of this kind.
 */
public abstract class SurgicalDebugFilter extends ZuulFilter {
    private static final String YES = "true";

    /** Returns whether the current request is sent to the other origin. */
    public abstract boolean patternMatches();

    @Override
    public String filterType() {
        return "pre";
    }

    @Override
    public int filterOrder() {
        return 99;
    }

    /**
     * Returns whether the request matches. Returns false if a filter of this kind has already sent the request to this
     * gateway.
     */
    @Override
    public boolean shouldFilter() {
        boolean disabled = DynamicPropertyFactory.getInstance()
                .getBooleanProperty(ZuulConstants.ZUUL_DEBUGFILTERS_DISABLED, false)
                .get();
        if (disabled || isFilterDisabled()) {
            return false;
        }
        String sent = RequestContext.getCurrentContext().getRequest().getHeader(ZuulHeaders.X_ZUUL_SURGICAL_FILTER);
        return !YES.equals(sent) && patternMatches();
    }

    @Override
    public @Nullable Object run() {
        String vip = property(ZuulConstants.ZUUL_DEBUG_VIP);
        String host = property(ZuulConstants.ZUUL_DEBUG_HOST);
        if (vip == null && host == null) {
            return null;
        }
        RequestContext context = RequestContext.getCurrentContext();
        if (host != null) {
            context.setRouteHost(url(host));
        }
        if (vip != null) {
            context.set("routeVIP", vip);
        }
        context.addZuulRequestHeader(ZuulHeaders.X_ZUUL_SURGICAL_FILTER, YES);
        Map<String, List<String>> known = HTTPRequestUtils.getInstance().getQueryParams();
        Map<String, List<String>> query = known == null ? new LinkedHashMap<>() : new LinkedHashMap<>(known);
        query.put("debugRequest", List.of(YES));
        context.setRequestQueryParams(query);
        context.setDebugRequest(true);
        context.set("zuulToZuul", true);
        return null;
    }

    private static @Nullable String property(String name) {
        return DynamicPropertyFactory.getInstance()
                .getStringProperty(name, null)
                .get();
    }

    private static URL url(String text) {
        try {
            return new URL(text);
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("a malformed URL: " + text, e);
        }
    }
}
