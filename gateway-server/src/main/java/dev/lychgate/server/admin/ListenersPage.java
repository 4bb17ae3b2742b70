package dev.lychgate.server.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.listener.Listener;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.Site;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** {@code /listeners}: where the gateway listens, for what, who is connected, and until when its certificates are good. */
final class ListenersPage {
    private ListenersPage() {}

    static void write(JsonGenerator json, Gateway gateway) throws IOException {
        Generation generation = gateway.generation();
        json.writeStartObject();
        json.writeNumberField("generation", generation.number());
        json.writeArrayFieldStart("listeners");
        for (Listener listener : gateway.listeners()) {
            json.writeStartObject();
            json.writeStringField("name", listener.config().name());
            json.writeStringField("address", NetUtil.toSocketAddressString(listener.address()));
            json.writeArrayFieldStart("protocols");
            for (ListenerProtocol protocol : listener.config().protocols()) {
                json.writeString(protocol.alpn());
            }
            json.writeEndArray();
            json.writeObjectFieldStart("connections");
            json.writeNumberField("open", listener.counters().open());
            json.writeNumberField("accepted", listener.counters().accepted());
            json.writeNumberField("most", listener.connectionLimit());
            json.writeNumberField("configured", listener.config().limits().connections());
            json.writeEndObject();
            ServerTls tls = generation.serverTls(listener.config().name());
            if (tls != null) {
                certificates(json, tls);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void certificates(JsonGenerator json, ServerTls tls) throws IOException {
        json.writeArrayFieldStart("certificates");
        for (Site site : tls.sites()) {
            json.writeStartObject();
            json.writeStringField("name", site.name());
            json.writeStringField("not_after", site.notAfter().toString());
            json.writeNumberField(
                    "days_left",
                    Duration.between(Instant.now(), site.notAfter()).toDays());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("asks_clients", tls.asksClients());
    }
}
