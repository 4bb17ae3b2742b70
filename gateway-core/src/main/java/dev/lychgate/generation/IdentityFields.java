package dev.lychgate.generation;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.tls.ClientCertificate;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields in which listeners tell origins who a client has proved to be. Whatever a client sends under the name of any
 * of them is taken off, on every listener: origins can't know which one a request came in by.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9440#section-4">RFC 9440, 4 Security Considerations</a>
 */
public final class IdentityFields {
    /** What else begins like the field, and is believed as much: the chain beside the certificate. */
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
                fields.names.add(plain(name));
            }
        }
        return fields;
    }

    /** Takes off what a client can't know to be true of itself. To be done before anybody looks at {@code fields}. */
    public void strip(HttpHeaders fields) {
        if (names.isEmpty() || fields.isEmpty()) {
            return;
        }
        List<CharSequence> forged = new ArrayList<>(0);
        Iterator<Map.Entry<CharSequence, CharSequence>> all = fields.iteratorCharSequence();
        while (all.hasNext()) {
            CharSequence name = all.next().getKey();
            if (isOne(plain(name))) {
                forged.add(name);
            }
        }
        forged.forEach(fields::remove);
    }

    private boolean isOne(String plain) {
        for (String name : names) {
            if (plain.startsWith(name)
                    && (plain.length() == name.length()
                            || (plain.endsWith(CHAIN) && plain.length() == name.length() + CHAIN.length()))) {
                return true;
            }
        }
        return false;
    }

    /** Some servers take an underscore for a hyphen. */
    private static String plain(CharSequence name) {
        return name.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Says who the client of {@code listener} is, if it has proved to be somebody and origins are to know. */
    public void apply(HttpHeaders fields, String listener, @Nullable ClientCertificate certificate) {
        String name = byListener.get(listener);
        if (name != null && certificate != null) {
            fields.set(name, certificate.field());
        }
    }
}
