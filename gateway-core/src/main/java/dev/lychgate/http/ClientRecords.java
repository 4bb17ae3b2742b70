package dev.lychgate.http;

import dev.lychgate.config.ClientAddressConfig;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The headers in which the proxies in front of the gateway's listeners record the client: the headers that proxies
 * commonly use, and the headers that {@code client-address} configures. An origin cannot determine through which
 * listener a request arrived. A header that one listener trusts must therefore not reach an origin unchecked through
 * another listener. Immutable; one instance serves all listeners.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239#section-8.1">RFC 7239, 8.1 Header Validity and Integrity</a>
 */
public final class ClientRecords {
    static final String REAL_IP = "x-real-ip";

    private static final List<String> COMMON =
            List.of(ClientAddressConfig.FORWARDED_FOR, ClientAddressConfig.FORWARDED, REAL_IP);

    /** Contains only the headers that proxies commonly use. Used if no listener configures an additional header. */
    public static final ClientRecords NONE_NAMED = of(List.of());

    private final List<String> all;
    private final List<String> named;

    private ClientRecords(List<String> all, List<String> named) {
        this.all = List.copyOf(all);
        this.named = List.copyOf(named);
    }

    /**
     * Creates an instance with the headers that proxies commonly use, and with the headers that the listeners
     * configure.
     */
    public static ClientRecords of(List<ClientAddressConfig> listeners) {
        List<String> all = new ArrayList<>(COMMON);
        List<String> named = new ArrayList<>();
        for (ClientAddressConfig listener : listeners) {
            if (!all.contains(listener.header())) {
                all.add(listener.header());
                named.add(FieldNames.fold(listener.header()));
            }
        }
        return new ClientRecords(all, named);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientRecords records && all.equals(records.all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }

    /** Returns whether a listener is configured with a header that {@link ForwardingFields} does not contain. */
    boolean hasNamed() {
        return !named.isEmpty();
    }

    /**
     * Returns whether {@code name} is a configured header that {@link ForwardingFields} does not contain. Recognizes
     * all spellings that {@link FieldNames} recognizes.
     */
    boolean isNamed(CharSequence name) {
        return FieldNames.isAlikeAny(name, named);
    }

    List<String> all() {
        return all;
    }
}
