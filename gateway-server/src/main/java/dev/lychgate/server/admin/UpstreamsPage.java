package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.generation.Generation;
import dev.lychgate.pool.CloseReason;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.upstream.Endpoint;
import dev.lychgate.upstream.Upstream;
import java.io.IOException;
import java.util.Map;

/** {@code /upstreams}: every upstream with its endpoints, and what the pools of each have done and hold. */
final class UpstreamsPage {
    private UpstreamsPage() {}

    static void write(JsonGenerator json, Generation generation, Map<String, PoolCounters> pools) throws IOException {
        json.writeStartObject();
        json.writeNumberField("generation", generation.number());
        json.writeArrayFieldStart("upstreams");
        for (Upstream upstream : generation.upstreams()) {
            json.writeStartObject();
            json.writeStringField("name", upstream.name());
            json.writeArrayFieldStart("endpoints");
            for (Endpoint endpoint : upstream.endpoints()) {
                write(json, endpoint, pools.getOrDefault(endpoint.toString(), PoolCounters.ZERO));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Endpoint endpoint, PoolCounters pool) throws IOException {
        json.writeStartObject();
        json.writeStringField("endpoint", endpoint.authority());
        json.writeNumberField("idle", pool.idle());
        json.writeNumberField("busy", pool.busy());
        json.writeNumberField("connecting", pool.connecting());
        json.writeNumberField("pending", pool.pending());
        json.writeNumberField("opened", pool.created());
        json.writeNumberField("reused", pool.reused());
        json.writeNumberField("connect_failures", pool.connectFailures());
        json.writeObjectFieldStart("closed");
        for (CloseReason reason : CloseReason.values()) {
            json.writeNumberField(reason.label(), pool.closed().getOrDefault(reason, 0L));
        }
        json.writeEndObject();
        json.writeEndObject();
    }
}
