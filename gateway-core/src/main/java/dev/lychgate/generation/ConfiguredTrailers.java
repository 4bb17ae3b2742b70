package dev.lychgate.generation;

import dev.lychgate.config.ClientAddressConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.TraceConfig;
import dev.lychgate.http.FieldNames;
import dev.lychgate.tracing.Tracing;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.HashSet;
import java.util.Set;

/**
 * Removes request trailers with names that the configuration reserves for the client's identity or address, a deadline,
 * or a trace. The gateway consumes or replaces header fields with these names. If it forwarded trailers with these
 * names, an origin that merges trailers into its header section would trust values from the client. Immutable and
 * thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-6.5.1">RFC 9110, 6.5.1 Limitations on Use of
 *     Trailers</a>
 */
public final class ConfiguredTrailers {
    private final Set<String> names;

    private ConfiguredTrailers(Set<String> names) {
        this.names = Set.copyOf(names);
    }

    static ConfiguredTrailers of(GatewayConfig config, TraceConfig trace, IdentityFields identity) {
        Set<String> names = new HashSet<>(identity.names());
        if (!trace.isOff()) {
            names.add(FieldNames.fold(trace.header()));
        }
        if (config.tracing() != null) {
            names.addAll(Tracing.FIELDS);
        }
        for (ListenerConfig listener : config.listeners()) {
            if (!listener.clientAddress().equals(ClientAddressConfig.DEFAULT)) {
                names.add(FieldNames.fold(listener.clientAddress().header()));
            }
        }
        for (RouteConfig route : config.routes()) {
            String deadline = route.resilience().deadlineHeader();
            if (deadline != null) {
                names.add(FieldNames.fold(deadline));
            }
        }
        return new ConfiguredTrailers(names);
    }

    /** Removes the trailers with reserved names, in any spelling that {@link FieldNames} recognizes. */
    public void strip(HttpHeaders trailers) {
        if (!names.isEmpty() && !trailers.isEmpty()) {
            FieldNames.removeIf(trailers, name -> names.contains(FieldNames.fold(name)));
        }
    }
}
