package dev.lychgate.generation;

import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.TlsFiles;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The TLS objects that the listeners of a generation use. Immutable. */
final class ListenerTls {
    private static final ListenerTls EMPTY = new ListenerTls(Map.of());

    private final Map<String, ServerTls> byListener;

    private ListenerTls(Map<String, ServerTls> byListener) {
        this.byListener = byListener;
    }

    static ListenerTls empty() {
        return EMPTY;
    }

    /**
     * Builds the TLS objects of the listeners. Objects with unchanged settings and files carry over.
     *
     * @param previous the TLS objects of an earlier generation; empty if there is none
     */
    static ListenerTls build(GatewayConfig config, TlsFiles files, ListenerTls previous) {
        Map<String, ServerTls> all = new HashMap<>();
        List<ListenerConfig> listeners = config.listeners();
        for (int i = 0; i < listeners.size(); i++) {
            TlsConfig tls = listeners.get(i).tls();
            if (tls != null) {
                String name = listeners.get(i).name();
                String key = "listeners[" + i + "].tls";
                List<String> protocols = listeners.get(i).protocols().stream()
                        .map(ListenerProtocol::alpn)
                        .toList();
                all.put(name, ServerTls.build(name, tls, protocols, key, files, Instant.now(), previous.get(name)));
            }
        }
        return new ListenerTls(all);
    }

    /**
     * Returns the TLS objects for a generation that is in force together with the stable generation, whose objects are
     * in {@code stable}. If a listener has equal TLS settings in both generations, its object is taken from {@code
     * stable}; otherwise, it is taken from this set.
     */
    ListenerTls beside(ListenerTls stable, List<ListenerConfig> listeners) {
        Map<String, ServerTls> all = new HashMap<>(byListener);
        for (ListenerConfig listener : listeners) {
            ServerTls current = stable.get(listener.name());
            if (current != null && current.isOf(listener.tls())) {
                all.put(listener.name(), current);
            }
        }
        return new ListenerTls(all);
    }

    /** Returns the object of a listener; null if the listener does not use TLS. */
    @Nullable
    ServerTls get(String listener) {
        return byListener.get(listener);
    }

    /** Logs warnings about insecure settings and expiring certificates. */
    void warn() {
        byListener.values().forEach(tls -> tls.warn(Instant.now()));
    }
}
