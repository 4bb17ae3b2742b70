package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.dns.NameStatus;
import dev.lychgate.generation.Generation;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.server.metrics.RecentAttempts.Attempts;
import dev.lychgate.server.metrics.RecentAttempts.OfEndpoint;
import dev.lychgate.tls.OriginTls;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.EndpointSet;
import dev.lychgate.upstream.EndpointState;
import dev.lychgate.upstream.Upstream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code /upstreams}: every upstream with its endpoints, what is known of them, and what the pools of each have done and hold. */
final class UpstreamsPage {
    private UpstreamsPage() {}

    /** @param attempts the attempts of the last seconds */
    static void write(
            JsonGenerator json,
            Generation generation,
            Map<String, PoolCounters> pools,
            List<NameStatus> names,
            Attempts attempts)
            throws IOException {
        json.writeStartObject();
        json.writeNumberField("generation", generation.number());
        json.writeNumberField("seconds", RecentFields.rounded(attempts.seconds()));
        json.writeArrayFieldStart("upstreams");
        for (Upstream upstream : generation.upstreams()) {
            json.writeStartObject();
            json.writeStringField("name", upstream.name());
            json.writeStringField(
                    "algorithm", upstream.config().balance().algorithm().label());
            writeTls(json, upstream);
            EndpointSet set = upstream.whole().current(System.nanoTime());
            json.writeBooleanField("panic", set.isPanic());
            json.writeArrayFieldStart("endpoints");
            for (Endpoint endpoint : upstream.endpoints()) {
                json.writeStartObject();
                writeState(json, endpoint, upstream.state().of(endpoint.address()), set.share(endpoint));
                OfEndpoint recent = attempts.of(endpoint);
                RecentFields.rates(json, recent.ended(), recent.failed(), attempts.seconds());
                RecentFields.percentiles(json, recent.p50(), recent.p99());
                PoolsPage.fields(json, pools.getOrDefault(endpoint.toString(), PoolCounters.ZERO));
                json.writeEndObject();
            }
            json.writeEndArray();
            writeNames(json, upstream, names);
            ProtectionFields.write(json, upstream.protection(), System.nanoTime());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Whether certificates are verified; nothing where no TLS is spoken. */
    private static void writeTls(JsonGenerator json, Upstream upstream) throws IOException {
        OriginTls tls = upstream.tls();
        if (tls != null) {
            json.writeStringField("tls", tls.verifies() ? "verified" : "NOT VERIFIED");
        }
    }

    /** What DNS is asked for; nothing where all endpoints are addresses. */
    private static void writeNames(JsonGenerator json, Upstream upstream, List<NameStatus> all) throws IOException {
        List<NameStatus> names = all.stream()
                .filter(name -> name.upstream().equals(upstream.name()))
                .toList();
        if (names.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("names");
        for (NameStatus name : names) {
            json.writeStartObject();
            json.writeStringField("name", name.name());
            json.writeNumberField("answered", name.answered());
            json.writeNumberField("failed", name.failed());
            json.writeStringField("fault", name.fault());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** One endpoint alone, without its pools. */
    static void write(JsonGenerator json, Upstream upstream, Endpoint endpoint) throws IOException {
        json.writeStartObject();
        json.writeStringField("upstream", upstream.name());
        EndpointSet set = upstream.whole().current(System.nanoTime());
        writeState(json, endpoint, upstream.state().of(endpoint.address()), set.share(endpoint));
        json.writeEndObject();
    }

    private static void writeState(JsonGenerator json, Endpoint endpoint, EndpointState state, double share)
            throws IOException {
        json.writeStringField("endpoint", endpoint.authority());
        int set = state.weight();
        json.writeNumberField("weight", set > 0 ? set : endpoint.config().weight());
        json.writeStringField("zone", endpoint.config().zone());
        json.writeNumberField("priority", endpoint.config().priority());
        json.writeStringField("admin", word(state.admin()));
        json.writeStringField("health", word(state.health()));
        if (!state.fault().isEmpty()) {
            json.writeStringField("fault", state.fault());
        }
        json.writeBooleanField("ejected", state.ejectedUntil() > System.nanoTime());
        json.writeNumberField("share", Math.round(share * 1000) / 1000.0);
    }

    /** How a state is called outside of the code. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
