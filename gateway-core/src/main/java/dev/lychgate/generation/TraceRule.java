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

/** Says of a request whether its filters are to be traced. Immutable; there is none where tracing is off. */
public final class TraceRule {
    private final TraceConfig config;
    private final String folded;
    private final byte @Nullable [] secret;
    private final @Nullable RouteTable match;

    /** @throws ConfigException if what is to be matched can't be */
    TraceRule(TraceConfig config) {
        this.config = config;
        this.folded = FieldNames.fold(config.header());
        this.secret = config.secret() == null ? null : config.secret().getBytes(StandardCharsets.UTF_8);
        this.match = config.match() == null ? null : RouteTable.build(List.of(route(config.match())));
    }

    /** What can't be matched of {@code config}, each under its key from there on: {@code match.path}; empty if all is well. */
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

    /** The field that carries the secret, and the trace back. */
    public String header() {
        return config.header();
    }

    /**
     * Whether the request knows the secret; the field that carries it is taken off, right or wrong. Takes as long for a
     * secret that is nearly right as for any other of its length.
     */
    public boolean takeSecret(RequestHead head) {
        String given = head.headers().get(config.header());
        FieldNames.removeIf(head.headers(), name -> FieldNames.isAlike(name, folded));
        return given != null && secret != null && MessageDigest.isEqual(secret, given.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether the request is one of those that are looked for. */
    public boolean matches(RequestHead head, Ingress ingress) {
        return match != null && match.match(head, ingress) != null;
    }

    /** Whether a request that knows the secret gets its trace with its answer. */
    public boolean responds() {
        return config.respond();
    }
}
