package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.pool.CloseReason;
import dev.lychgate.pool.PoolCounters;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** {@code /pools}: what the pools of each endpoint hold and have done, all event loops added up. */
final class PoolsPage {
    private PoolsPage() {}

    /** @param pools by {@code upstream/endpoint} */
    static void write(JsonGenerator json, Map<String, PoolCounters> pools) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("pools");
        for (Map.Entry<String, PoolCounters> pool : new TreeMap<>(pools).entrySet()) {
            int slash = pool.getKey().indexOf('/');
            json.writeStartObject();
            json.writeStringField("upstream", pool.getKey().substring(0, slash));
            json.writeStringField("endpoint", pool.getKey().substring(slash + 1));
            fields(json, pool.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    static void fields(JsonGenerator json, PoolCounters pool) throws IOException {
        json.writeNumberField("idle", pool.idle());
        json.writeNumberField("busy", pool.busy());
        json.writeNumberField("connecting", pool.connecting());
        json.writeNumberField("pending", pool.pending());
        json.writeNumberField("opened", pool.created());
        json.writeNumberField("reused", pool.reused());
        json.writeNumberField("connect_failures", pool.connectFailures());
        json.writeNumberField("reclaimed", pool.reclaimed());
        json.writeObjectFieldStart("closed");
        for (CloseReason reason : CloseReason.values()) {
            json.writeNumberField(reason.label(), pool.closed().getOrDefault(reason, 0L));
        }
        json.writeEndObject();
    }
}
