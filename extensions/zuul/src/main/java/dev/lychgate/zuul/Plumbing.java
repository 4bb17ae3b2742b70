package dev.lychgate.zuul;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes filters that send requests and responses in Zuul, by the name of their class and by its base class. The
 * gateway itself sends requests and responses.
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
            Map.entry("SendForwardFilter", "the gateway forwards by its routes"),
            Map.entry("Servlet30WrapperFilter", "the gateway is no servlet container"),
            Map.entry("ServletDetectionFilter", "the gateway is no servlet container"),
            Map.entry("FormBodyWrapperFilter", "the gateway sends forms unchanged"));

    private static final Pattern DECLARATION =
            Pattern.compile("\\bclass\\s+(\\w+)\\s+extends\\s+(?:com\\.netflix\\.zuul\\.)?ZuulFilter\\b");

    private Plumbing() {}

    /**
     * Returns the reason for which a file is left out; null if it is used.
     *
     * @param keep the names of filters that are used nevertheless
     */
    static @Nullable String reason(String text, List<String> keep) {
        Matcher declaration = DECLARATION.matcher(text);
        if (!declaration.find() || keep.contains(declaration.group(1))) {
            return null;
        }
        String name = declaration.group(1);
        String reason = REASONS.get(name);
        return reason == null ? null : reason + " (extensions.zuul.keep: [" + name + "] runs it nevertheless)";
    }
}
