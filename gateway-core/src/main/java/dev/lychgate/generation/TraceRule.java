package dev.lychgate.generation;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.TraceConfig;
import dev.lychgate.http.FieldNames;
import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.route.RouteTable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Selects the requests that get a filter trace. Immutable and thread-safe. */
public final class TraceRule {
    private final TraceConfig config;
    private final String folded;
    private final byte @Nullable [] secret;
    private final @Nullable RouteTable match;

    /**
     * Compiles the match conditions.
     *
     * @throws ConfigException if the match conditions are invalid
     */
    TraceRule(TraceConfig config) {
        this.config = config;
        this.folded = FieldNames.fold(config.header());
        this.secret = config.secret() == null ? null : config.secret().getBytes(StandardCharsets.UTF_8);
        this.match = config.match() == null ? null : RouteTable.build(List.of(route(config.match())));
    }

    /**
     * Returns the errors in the match conditions of {@code config}. The keys of the errors are relative, such as {@code
     * match.path}.
     */
    public static List<ConfigException> faults(TraceConfig config) {
        if (config.match() == null) {
            return List.of();
        }
        return RouteTable.faults(List.of(route(config.match()))).stream()
                .map(fault -> new ConfigException(
                        fault.key().replaceFirst("^routes\\[0]\\.", ""), fault.value(), fault.expected()))
                .toList();
    }

    private static RouteConfig route(MatchConfig match) {
        return new RouteConfig(
                "trace", 0, match, RewriteConfig.NONE, new RouteAction.Respond(200, Map.of(), ""), RouteTimeouts.UNSET);
    }

    /** Returns the name of the header that carries the secret in a request and the trace in a response. */
    public String header() {
        return config.header();
    }

    /**
     * Returns whether the request has the secret. Removes the header with the secret from the request, even if the
     * secret is wrong. The time of the comparison does not depend on the number of matching bytes.
     */
    public boolean takeSecret(RequestHead head) {
        String given = head.headers().get(config.header());
        FieldNames.removeIf(head.headers(), name -> FieldNames.isAlike(name, folded));
        return given != null && secret != null && MessageDigest.isEqual(secret, given.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether the request matches the conditions. */
    public boolean matches(RequestHead head, Ingress ingress) {
        return match != null && match.match(head, ingress) != null;
    }

    /** Returns whether the response to a request with the secret carries the trace. */
    public boolean responds() {
        return config.respond();
    }
}
