package dev.lychgate.generation;

import static java.util.Objects.requireNonNull;

import dev.lychgate.config.OriginTlsConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.resilience.Protection;
import dev.lychgate.tls.OriginTls;
import dev.lychgate.tls.TlsFiles;
import dev.lychgate.upstream.Upstream;
import dev.lychgate.upstream.UpstreamState;
import dev.lychgate.upstream.UpstreamStates;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The upstreams of a generation by name. Immutable. */
final class UpstreamSet {
    private static final UpstreamSet EMPTY = new UpstreamSet(Map.of());

    private final Map<String, Upstream> byName;

    private UpstreamSet(Map<String, Upstream> byName) {
        this.byName = byName;
    }

    static UpstreamSet empty() {
        return EMPTY;
    }

    /**
     * Builds upstreams. TLS objects and protection (circuit breaker, limits and budgets) carry over if their settings
     * are unchanged.
     *
     * @param previous the upstreams of an earlier generation; empty if there is none
     */
    static UpstreamSet build(
            Collection<UpstreamConfig> configured,
            UpstreamStates states,
            int loops,
            TlsFiles files,
            UpstreamSet previous) {
        Map<TlsSettings, OriginTls> shared = new HashMap<>();
        Map<String, Upstream> built = new LinkedHashMap<>();
        for (UpstreamConfig upstream : configured) {
            UpstreamState state = states.of(upstream.name());
            OriginTls tls = tls(upstream, files, shared, previous);
            Upstream before = previous.get(upstream.name());
            built.put(upstream.name(), upstream(state.resolve(upstream), state, loops, tls, before, null));
        }
        return new UpstreamSet(built);
    }

    private record TlsSettings(OriginTlsConfig config, List<String> protocols) {
        static TlsSettings of(UpstreamConfig upstream) {
            return new TlsSettings(
                    upstream.tls() == null ? OriginTlsConfig.DEFAULT : upstream.tls(),
                    upstream.pool().protocol().alpn());
        }
    }

    /**
     * Returns the TLS object of an upstream; null if the upstream does not use TLS.
     *
     * @param shared the objects built so far; upstreams with the same settings share one object
     */
    private static @Nullable OriginTls tls(
            UpstreamConfig upstream, TlsFiles files, Map<TlsSettings, OriginTls> shared, UpstreamSet previous) {
        if (!upstream.isSecure()) {
            return null;
        }
        TlsSettings settings = TlsSettings.of(upstream);
        OriginTls same = shared.get(settings);
        if (same == null) {
            String key = "upstreams." + upstream.name() + ".tls";
            // The object may be from any upstream with these settings. Its reuse keeps pooled connections, because the
            // TLS object is part of the key of their pools.
            OriginTls before = previous.tls(settings);
            same = OriginTls.build(settings.config, settings.protocols, key, files, Instant.now(), before);
            shared.put(settings, same);
        }
        return same;
    }

    /**
     * Builds one upstream of the generation.
     *
     * @param before the upstream of this name in an earlier generation, from which the protection carries over; null if
     *     there is none
     * @param beside the upstream of this name in the second generation in force, with which protection is shared; null
     *     if there is none
     */
    private static Upstream upstream(
            UpstreamConfig resolved,
            UpstreamState state,
            int loops,
            @Nullable OriginTls tls,
            @Nullable Upstream before,
            @Nullable Upstream beside) {
        Protection protection;
        if (before == null) {
            protection = Protection.of(resolved, loops);
        } else if (beside == null) {
            protection = before.protection().next(resolved);
        } else {
            protection = before.protection().next(resolved, beside.protection());
        }
        return new Upstream(resolved, state, protection, tls);
    }

    /**
     * Returns these upstreams with the current addresses of their names; the same object if the addresses are
     * unchanged.
     *
     * @param configured the configured settings of the upstreams, by the name of the upstream; they contain host names
     *     that are not resolved
     * @param beside the upstreams of the second generation in force, with which the state of new endpoints is shared;
     *     empty if there is no second generation
     */
    UpstreamSet resolved(Map<String, UpstreamConfig> configured, int loops, UpstreamSet beside) {
        Map<String, Upstream> now = new LinkedHashMap<>();
        boolean changed = false;
        for (Upstream upstream : byName.values()) {
            UpstreamConfig named = requireNonNull(configured.get(upstream.name()));
            UpstreamConfig resolved = upstream.state().resolve(named);
            // An upstream without names and discovered services can't change. Skipping the comparison avoids loading
            // classes that startup does not otherwise need.
            boolean same = !named.hasChangingEndpoints() || resolved.equals(upstream.config());
            changed |= !same;
            Upstream other = beside.get(upstream.name());
            now.put(
                    upstream.name(),
                    same ? upstream : upstream(resolved, upstream.state(), loops, upstream.tls(), upstream, other));
        }
        return changed ? new UpstreamSet(now) : this;
    }

    /**
     * Returns these upstreams, changed to use TLS objects and protection of {@code stable} wherever the settings in
     * {@code stable} are equal.
     */
    UpstreamSet beside(UpstreamSet stable, int loops) {
        Map<String, Upstream> now = new LinkedHashMap<>();
        for (Upstream upstream : byName.values()) {
            Upstream other = stable.get(upstream.name());
            OriginTls tls = upstream.tls() == null ? null : stable.tlsLike(upstream.config(), upstream.tls());
            now.put(upstream.name(), upstream(upstream.config(), upstream.state(), loops, tls, upstream, other));
        }
        return new UpstreamSet(now);
    }

    private OriginTls tlsLike(UpstreamConfig other, OriginTls own) {
        OriginTls current = tls(TlsSettings.of(other));
        return current == null ? own : current;
    }

    /** Returns the TLS object with these settings; null if there is none. */
    private @Nullable OriginTls tls(TlsSettings settings) {
        return byName.values().stream()
                .map(Upstream::tls)
                .filter(tls -> tls != null && tls.isOf(settings.config, settings.protocols))
                .findFirst()
                .orElse(null);
    }

    /** Returns the upstream with this name; null if there is none. */
    @Nullable
    Upstream get(String name) {
        return byName.get(name);
    }

    Collection<Upstream> all() {
        return byName.values();
    }

    Set<String> names() {
        return byName.keySet();
    }
}
