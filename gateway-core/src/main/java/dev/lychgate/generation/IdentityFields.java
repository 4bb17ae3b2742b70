package dev.lychgate.generation;

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
 * Fields that carry verified client identities from listeners to origins. Fields with these names from clients are removed
 * on every listener, because origins cannot distinguish listeners.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9440#section-4">RFC 9440, 4 Security Considerations</a>
 */
public final class IdentityFields {
    /** Suffix of the companion field for the certificate chain, which origins trust as much. */
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
        }
        return fields;
    }

    /** Removes identity fields that the client sent. Call this method before {@code fields} are read. */
    public void strip(HttpHeaders fields) {
        if (!names.isEmpty() && !fields.isEmpty()) {
            FieldNames.removeIf(fields, name -> FieldNames.isAlikeAny(name, names));
        }
    }

    /** The names that are removed, as {@link FieldNames#fold} returns them. */
    List<String> names() {
        return names;
    }

    /** Sets the client's identity if it has a verified certificate and {@code listener} forwards identities. */
    public void apply(HttpHeaders fields, String listener, @Nullable ClientCertificate certificate) {
        String name = byListener.get(listener);
        if (name != null && certificate != null) {
            fields.set(name, certificate.field());
        }
    }
}
