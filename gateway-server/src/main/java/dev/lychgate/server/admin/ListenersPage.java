package dev.lychgate.server.admin;

import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.ListenerProtocol;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.generation.Generation;
import dev.lychgate.listener.Listener;
import dev.lychgate.listener.ListenerCounters;
import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import dev.lychgate.server.json.Shape;
import dev.lychgate.tls.ServerTls;
import dev.lychgate.tls.Site;
import io.netty.util.NetUtil;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /listeners}: the gateway's listeners with their addresses, protocols, connections and certificates. */
final class ListenersPage {
    record Listeners(Generation generation, List<Listener> listeners) {}

    private record Row(Generation generation, Listener listener) {
        private ListenerConfig config() {
            return listener.config();
        }

        private @Nullable ServerTls tls() {
            return generation.serverTls(config().name());
        }
    }

    private static final JsonType<ListenerProtocol> PROTOCOL =
            Json.words(ListenerProtocol.values(), ListenerProtocol::alpn);

    private static final Shape<ListenerCounters> COUNTERS = new Shape<ListenerCounters>("")
            .integer("open", "The number of open connections.", ListenerCounters::open)
            .integer("accepted", "The number of connections accepted since the start.", ListenerCounters::accepted);

    private static final Shape<Listener> CONNECTIONS = new Shape<Listener>("ListenerConnections")
            .include(COUNTERS, Listener::counters)
            .integer("most", "The maximum number of open connections in effect.", Listener::connectionLimit)
            .integer("configured", "The configured maximum number of open connections.", ListenersPage::configured);

    private static final Shape<Site> CERTIFICATE = new Shape<Site>("Certificate")
            .text("name", "The server name for which this certificate is selected.", Site::name)
            .field("not_after", Json.TIME, "When the certificate expires.", Site::notAfter)
            .integer("days_left", "Whole days until the certificate expires.", ListenersPage::daysLeft);

    private static final Shape<ServerTls> TLS = new Shape<ServerTls>("ListenerTls")
            .list("certificates", CERTIFICATE, "The certificates of the listener.", ServerTls::sites)
            .flag("asks_clients", "Whether clients must or may send a certificate.", ServerTls::asksClients);

    private static final Shape<Row> LISTENER = new Shape<Row>("Listener")
            .text("name", "The name of the listener.", row -> row.config().name())
            .text("address", "The bound address.", row -> NetUtil.toSocketAddressString(row.listener.address()))
            .list(
                    "protocols",
                    PROTOCOL,
                    "The accepted protocols.",
                    row -> row.config().protocols())
            .field("connections", CONNECTIONS, "The client connections of the listener.", Row::listener)
            .includeOptional(TLS, Row::tls);

    static final Shape<Listeners> SHAPE = new Shape<Listeners>(
                    "Listeners", "The listeners, their connections and certificates.")
            .integer("generation", "The number of the generation.", all -> all.generation.number())
            .list("listeners", LISTENER, "Every listener.", ListenersPage::rows);

    private ListenersPage() {}

    private static List<Row> rows(Listeners all) {
        return all.listeners.stream().map(one -> new Row(all.generation, one)).toList();
    }

    private static int configured(Listener listener) {
        return listener.config().limits().connections();
    }

    private static long daysLeft(Site site) {
        return Duration.between(Instant.now(), site.notAfter()).toDays();
    }

    static Listeners of(Gateway gateway) {
        return new Listeners(gateway.generation(), List.copyOf(gateway.listeners()));
    }
}
