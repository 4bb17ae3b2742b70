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
            "com.netflix.zuul.filters.StaticResponseFilter",
            "com.netflix.zuul.filters.SurgicalDebugFilter");

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
            "com.netflix.zuul.ZuulFilter",
            "com.netflix.zuul.ZuulFilterResult",
            "com.netflix.zuul.constants.ZuulConstants",
            "com.netflix.zuul.constants.ZuulHeaders",
            "com.netflix.zuul.context.Debug",
            "com.netflix.zuul.context.NFRequestContext",
            "com.netflix.zuul.context.RequestContext",
            "com.netflix.zuul.exception.ZuulException",
            "com.netflix.zuul.filters.FilterSyncType",
            "com.netflix.zuul.filters.FilterType",
            "com.netflix.zuul.filters.StaticResponseFilter",
            "com.netflix.zuul.filters.SurgicalDebugFilter",
            "com.netflix.zuul.http.HttpServletRequestWrapper",
            "com.netflix.zuul.http.HttpServletResponseWrapper",
            "com.netflix.zuul.http.ServletInputStreamWrapper",
            "com.netflix.zuul.stats.ErrorStatsData",
            "com.netflix.zuul.stats.ErrorStatsManager",
            "com.netflix.zuul.util.HTTPRequestUtils");

    private static final Set<String> PACKAGES =
            Set.of("com.netflix.hystrix", "groovy", "javax.servlet", "org.slf4j", "rx");

    private static final String BALANCES =
            "the gateway balances by itself: name an upstream in extensions.zuul.vips instead";
    private static final String INJECTED = "the gateway injects no objects: create the object in the filter";
    private static final Map<String, String> REMEDIES = Map.ofEntries(
            Map.entry("com.along101.pgateway", "a fork of Zuul: import the same class of com.netflix.zuul"),
            Map.entry("com.netflix.appinfo", BALANCES),
            Map.entry("com.netflix.client", BALANCES),
            Map.entry(
                    "com.netflix.config", "the extension does not have this class: use one of DynamicPropertyFactory"),
            Map.entry("com.netflix.discovery", BALANCES),
            Map.entry("com.netflix.loadbalancer", BALANCES),
            Map.entry("com.netflix.niws", BALANCES),
            Map.entry("com.netflix.ribbon", BALANCES),
            Map.entry("com.netflix.zuul", "not part of the API for filters of Zuul 1: remove its use"),
            Map.entry("io.spring2go.zuul", "a fork of Zuul: import the same class of com.netflix.zuul"),
            Map.entry("jakarta.servlet", "filters of Zuul 1 use the packages javax.servlet"),
            Map.entry("javax.inject", INJECTED),
            Map.entry("org.springframework.beans", INJECTED),
            Map.entry("org.springframework.cloud", "not part of Zuul: remove its use"),
            Map.entry(
                    "org.springframework.cloud.netflix.zuul.filters.support",
                    "a class of Spring: write the values of its constants, such as 'pre'"),
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
