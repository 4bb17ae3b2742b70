package dev.lychgate.server.metrics;

import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointSet;
import dev.lychgate.upstream.EndpointState;
import dev.lychgate.upstream.EndpointState.AdminState;
import dev.lychgate.upstream.EndpointState.Health;
import dev.lychgate.upstream.Upstream;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What is known of each endpoint: as many series as the configuration names endpoints, times eight. For one thread. */
final class EndpointMeters {
    private final MeterRows share;
    private final MeterRows ejected;
    private final MeterRows health;
    private final MeterRows admin;

    EndpointMeters(MeterRegistry registry) {
        share = rows(registry, "lychgate.endpoint.share", "Share of its upstream's traffic, 0 to 1");
        ejected = rows(registry, "lychgate.endpoint.ejected", "1 while it is left out since it failed under traffic");
        health = rows(registry, "lychgate.endpoint.health", "1 for what active checks say of it, else 0", "health");
        admin = rows(registry, "lychgate.endpoint.admin", "1 for what the operator says of it, else 0", "admin");
    }

    private static MeterRows rows(MeterRegistry registry, String name, String description, String... further) {
        String[] labels = further.length == 0
                ? new String[] {"upstream", "endpoint"}
                : new String[] {"upstream", "endpoint", further[0]};
        return new MeterRows(registry, MeterRows.Kind.GAUGE, name, null, description, labels);
    }

    /** @param now nanoseconds of {@link System#nanoTime()} */
    void show(Collection<Upstream> upstreams, long now) {
        for (Upstream upstream : upstreams) {
            EndpointSet set = upstream.whole().current(now);
            for (Endpoint endpoint : upstream.endpoints()) {
                show(endpoint, upstream.state().of(endpoint.address()), set.share(endpoint), now);
            }
        }
        for (MeterRows rows : List.of(share, ejected, health, admin)) {
            rows.removeUntouched();
        }
    }

    private void show(Endpoint endpoint, EndpointState state, double ofTraffic, long now) {
        String upstream = endpoint.upstream();
        String authority = endpoint.authority();
        share.set(ofTraffic, upstream, authority);
        ejected.set(state.ejectedUntil() > now ? 1 : 0, upstream, authority);
        for (Health each : Health.values()) {
            health.set(each == state.health() ? 1 : 0, upstream, authority, label(each));
        }
        for (AdminState each : AdminState.values()) {
            admin.set(each == state.admin() ? 1 : 0, upstream, authority, label(each));
        }
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
