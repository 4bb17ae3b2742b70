package dev.lychgate.generation;

import dev.lychgate.config.AuthenticateConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.http.FieldNames;
import dev.lychgate.tls.ClientCertificate;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header fields in which origins receive verified client identities and the claims of these identities. The gateway
 * removes fields with these names from the requests of clients on every listener and route, because an origin can't
 * determine through which listener a request arrived.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9440#section-4">RFC 9440, 4 Security Considerations</a>
 */
public final class IdentityFields {
    /**
     * The suffix that turns the name of the identity field into the name of the field with the certificate chain.
     * Origins trust both fields equally.
     */
    private static final String CHAIN = "-chain";

    private final Map<String, String> byListener = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    private IdentityFields() {}

    static IdentityFields of(GatewayConfig config) {
        IdentityFields fields = new IdentityFields();
        for (ListenerConfig listener : config.listeners()) {
            String name = listener.tls() == null ? null : listener.tls().identityHeader();
            if (name != null) {
                fields.byListener.put(listener.name(), name.toLowerCase(Locale.ROOT));
                fields.names.add(FieldNames.fold(name));
                fields.names.add(FieldNames.fold(name + CHAIN));
            }
            fields.addClaims(listener.authenticate());
        }
        fields.addClaims(config.policies().access().authenticate());
        config.routes().forEach(route -> fields.addClaims(route.access().authenticate()));
        return fields;
    }

    private void addClaims(@Nullable AuthenticateConfig section) {
        if (section != null) {
            section.claimsToHeaders().values().forEach(field -> {
                String folded = FieldNames.fold(field);
                if (!names.contains(folded)) {
                    names.add(folded);
                }
            });
        }
    }

    /** Removes identity fields that the client sent. Must be called before any other code reads {@code fields}. */
    public void strip(HttpHeaders fields) {
        if (!names.isEmpty() && !fields.isEmpty()) {
            FieldNames.removeIf(fields, name -> FieldNames.isAlikeAny(name, names));
        }
    }

    /** Returns the names of removed fields, in the form that {@link FieldNames#fold} returns. */
    List<String> names() {
        return names;
    }

    /**
     * Sets the field with the client's identity if the client has a verified certificate and {@code listener} forwards
     * identities.
     */
    public void apply(HttpHeaders fields, String listener, @Nullable ClientCertificate certificate) {
        String name = byListener.get(listener);
        if (name != null && certificate != null) {
            fields.set(name, certificate.field());
        }
    }
}
