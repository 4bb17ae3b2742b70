package dev.lychgate.zuul;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes, by class name and base class, the filters with which Zuul sends requests and responses. The gateway
 * itself sends requests and responses in place of these filters.
 */
final class Plumbing {
    private static final String SENDS = "the gateway sends the request to the origin";
    private static final String RESPONDS = "the gateway sends the response to the client";
    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("SimpleHostRoutingFilter", SENDS),
            Map.entry("SimpleHostRequest", SENDS),
            Map.entry("ZuulHostRequest", SENDS),
            Map.entry("ZuulNFRequest", SENDS),
            Map.entry("RibbonRoutingFilter", SENDS),
            Map.entry("SendResponse", RESPONDS),
            Map.entry("sendResponse", RESPONDS),
            Map.entry("SendResponseFilter", RESPONDS),
            Map.entry("SendErrorFilter", "the gateway itself responds to failures"),
            Map.entry("SendForwardFilter", "the routes of the gateway forward requests"),
            Map.entry("Servlet30WrapperFilter", "the gateway has no servlet container"),
            Map.entry("ServletDetectionFilter", "the gateway has no servlet container"),
            Map.entry("FormBodyWrapperFilter", "the gateway sends forms unchanged"));

    /**
     * The package of the filters of Spring Cloud. All filters in this package belong to the routing of Spring Cloud's
     * proxy.
     */
    private static final String SPRING = "org.springframework.cloud.netflix.zuul.filters.";

    private static final Pattern DECLARATION =
            Pattern.compile("\\bclass\\s+(\\w+)\\s+extends\\s+(?:com\\.netflix\\.zuul\\.)?ZuulFilter\\b");

    private Plumbing() {}

    /**
     * Returns the reason why a file is left out; null if the file is used.
     *
     * @param keep the names of filters that are used nevertheless
     */
    static @Nullable String reason(String text, List<String> keep) {
        Matcher declaration = DECLARATION.matcher(text);
        return declaration.find() ? reason(declaration.group(1), REASONS.get(declaration.group(1)), keep) : null;
    }

    /**
     * Returns the reason why a filter that the program has created is left out; null if the filter is used.
     *
     * @param keep the names of filters that are used nevertheless
     */
    static @Nullable String reason(Class<?> type, List<String> keep) {
        String known = REASONS.get(type.getSimpleName());
        String ofSpring = type.getName().startsWith(SPRING) ? "the gateway itself routes requests" : null;
        return reason(type.getSimpleName(), known == null ? ofSpring : known, keep);
    }

    private static @Nullable String reason(String name, @Nullable String reason, List<String> keep) {
        return reason == null || keep.contains(name)
                ? null
                : reason + " (extensions.zuul.keep: [" + name + "] runs the filter nevertheless)";
    }
}
