package dev.lychgate.server.migrate;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists the classes that the extension {@code zuul} and the gateway provide to filters, and remedies for filters that
 * use other classes.
 */
final class ZuulApi {
    /** The classes that filters extend. */
    static final Set<String> BASES = Set.of(
            "com.netflix.zuul.ZuulFilter",
            "com.netflix.zuul.filters.BaseFilter",
            "com.netflix.zuul.filters.BaseSyncFilter",
            "com.netflix.zuul.filters.Endpoint",
            "com.netflix.zuul.filters.StaticResponseFilter",
            "com.netflix.zuul.filters.SurgicalDebugFilter",
            "com.netflix.zuul.filters.http.HttpAsyncEndpoint",
            "com.netflix.zuul.filters.http.HttpInboundFilter",
            "com.netflix.zuul.filters.http.HttpInboundSyncFilter",
            "com.netflix.zuul.filters.http.HttpOutboundFilter",
            "com.netflix.zuul.filters.http.HttpOutboundSyncFilter",
            "com.netflix.zuul.filters.http.HttpSyncEndpoint");

    /** Filters of Zuul's own applications. The gateway itself does the work of these filters. */
    static final Set<String> PLUMBING = Set.of(
            "FormBodyWrapperFilter",
            "RibbonRoutingFilter",
            "SendErrorFilter",
            "SendForwardFilter",
            "SendResponse",
            "SendResponseFilter",
            "Servlet30WrapperFilter",
            "ServletDetectionFilter",
            "SimpleHostRequest",
            "SimpleHostRoutingFilter",
            "ZuulHostRequest",
            "ZuulNFRequest",
            "sendResponse");

    private static final Set<String> CLASSES = Set.of(
            "com.netflix.config.CachedDynamicBooleanProperty",
            "com.netflix.config.CachedDynamicIntProperty",
            "com.netflix.config.CachedDynamicLongProperty",
            "com.netflix.config.CachedDynamicStringProperty",
            "com.netflix.config.ConfigurationManager",
            "com.netflix.config.DynamicBooleanProperty",
            "com.netflix.config.DynamicDoubleProperty",
            "com.netflix.config.DynamicFloatProperty",
            "com.netflix.config.DynamicIntProperty",
            "com.netflix.config.DynamicLongProperty",
            "com.netflix.config.DynamicPropertyFactory",
            "com.netflix.config.DynamicStringProperty",
            "com.netflix.config.DynamicStringSetProperty",
            "com.netflix.util.Pair",
            "com.netflix.zuul.ExecutionStatus",
            "com.netflix.zuul.Filter",
            "com.netflix.zuul.FilterLoader",
            "com.netflix.zuul.FilterProcessor",
            "com.netflix.zuul.FilterUsageNotifier",
            "com.netflix.zuul.IZuulFilter",
            "com.netflix.zuul.ZuulApplicationInfo",
            "com.netflix.zuul.ZuulFilter",
            "com.netflix.zuul.ZuulFilterResult",
            "com.netflix.zuul.constants.ZuulConstants",
            "com.netflix.zuul.constants.ZuulHeaders",
            "com.netflix.zuul.context.CommonContextKeys",
            "com.netflix.zuul.context.Debug",
            "com.netflix.zuul.context.NFRequestContext",
            "com.netflix.zuul.context.RequestContext",
            "com.netflix.zuul.context.SessionContext",
            "com.netflix.zuul.exception.ZuulException",
            "com.netflix.zuul.filters.BaseFilter",
            "com.netflix.zuul.filters.BaseSyncFilter",
            "com.netflix.zuul.filters.Endpoint",
            "com.netflix.zuul.filters.FilterError",
            "com.netflix.zuul.filters.FilterSyncType",
            "com.netflix.zuul.filters.FilterType",
            "com.netflix.zuul.filters.StaticResponseFilter",
            "com.netflix.zuul.filters.SurgicalDebugFilter",
            "com.netflix.zuul.filters.SyncZuulFilter",
            "com.netflix.zuul.filters.ZuulFilter",
            "com.netflix.zuul.filters.endpoint.ProxyEndpoint",
            "com.netflix.zuul.filters.http.HttpAsyncEndpoint",
            "com.netflix.zuul.filters.http.HttpInboundFilter",
            "com.netflix.zuul.filters.http.HttpInboundSyncFilter",
            "com.netflix.zuul.filters.http.HttpOutboundFilter",
            "com.netflix.zuul.filters.http.HttpOutboundSyncFilter",
            "com.netflix.zuul.filters.http.HttpSyncEndpoint",
            "com.netflix.zuul.http.HttpServletRequestWrapper",
            "com.netflix.zuul.http.HttpServletResponseWrapper",
            "com.netflix.zuul.http.ServletInputStreamWrapper",
            "com.netflix.zuul.message.Header",
            "com.netflix.zuul.message.HeaderName",
            "com.netflix.zuul.message.Headers",
            "com.netflix.zuul.message.ZuulMessage",
            "com.netflix.zuul.message.ZuulMessageImpl",
            "com.netflix.zuul.message.http.Cookies",
            "com.netflix.zuul.message.http.HttpHeaderNames",
            "com.netflix.zuul.message.http.HttpQueryParams",
            "com.netflix.zuul.message.http.HttpRequestInfo",
            "com.netflix.zuul.message.http.HttpRequestMessage",
            "com.netflix.zuul.message.http.HttpRequestMessageImpl",
            "com.netflix.zuul.message.http.HttpResponseInfo",
            "com.netflix.zuul.message.http.HttpResponseMessage",
            "com.netflix.zuul.message.http.HttpResponseMessageImpl",
            "com.netflix.zuul.netty.filter.ZuulEndPointRunner",
            "com.netflix.zuul.stats.ErrorStatsData",
            "com.netflix.zuul.stats.ErrorStatsManager",
            "com.netflix.zuul.stats.status.StatusCategory",
            "com.netflix.zuul.stats.status.StatusCategoryGroup",
            "com.netflix.zuul.stats.status.StatusCategoryUtils",
            "com.netflix.zuul.stats.status.ZuulStatusCategory",
            "com.netflix.zuul.stats.status.ZuulStatusCategoryGroup",
            "com.netflix.zuul.util.Gzipper",
            "com.netflix.zuul.util.HTTPRequestUtils",
            "com.netflix.zuul.util.HttpUtils",
            "org.springframework.cloud.netflix.zuul.filters.support.FilterConstants");

    private static final Set<String> PACKAGES =
            Set.of("com.netflix.hystrix", "groovy", "javax.servlet", "org.slf4j", "rx");

    private static final String BALANCES =
            "the gateway itself balances requests; name an upstream in extensions.zuul.vips instead";
    private static final String INJECTED =
            "the gateway does not inject objects; create the object in the filter, or pass the bean to zuulFilters";
    private static final Map<String, String> REMEDIES = Map.ofEntries(
            Map.entry("com.along101.pgateway", "a fork of Zuul; import the same class of com.netflix.zuul"),
            Map.entry("com.netflix.appinfo", BALANCES),
            Map.entry("com.netflix.client", BALANCES),
            Map.entry(
                    "com.netflix.config",
                    "the extension does not contain this class; use a property class of DynamicPropertyFactory"),
            Map.entry("com.netflix.discovery", BALANCES),
            Map.entry("com.netflix.loadbalancer", BALANCES),
            Map.entry("com.netflix.niws", BALANCES),
            Map.entry("com.netflix.ribbon", BALANCES),
            Map.entry("com.netflix.zuul", "not part of the API for filters; remove its use"),
            Map.entry("io.spring2go.zuul", "a fork of Zuul; import the same class of com.netflix.zuul"),
            Map.entry("jakarta.servlet", "filters of Zuul 1 use the packages javax.servlet"),
            Map.entry("javax.inject", INJECTED),
            Map.entry("org.springframework.beans", INJECTED),
            Map.entry("org.springframework.cloud", "not part of Zuul; remove its use"),
            Map.entry("org.springframework.context", INJECTED),
            Map.entry("org.springframework.stereotype", INJECTED));

    private ZuulApi() {}

    /** Returns whether a filter can use the class without a further jar. */
    static boolean provides(String name) {
        return CLASSES.contains(name) || covered(name, PACKAGES) != null || isOfTheJdk(name);
    }

    /** Returns the change that a filter needs if no jar can provide the class; null if a jar can provide it. */
    static @Nullable String remedy(String name) {
        String covered = covered(name, REMEDIES.keySet());
        return covered == null ? null : REMEDIES.get(covered);
    }

    private static @Nullable String covered(String name, Set<String> packages) {
        for (String at = Names.packageOf(name); at != null; at = Names.packageOf(at)) {
            if (packages.contains(at)) {
                return at;
            }
        }
        return null;
    }

    private static boolean isOfTheJdk(String name) {
        if (name.startsWith("java.")) {
            return true;
        }
        try {
            Class.forName(name, false, ClassLoader.getPlatformClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
