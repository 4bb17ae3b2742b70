package dev.lychgate.server.metrics;

import dev.lychgate.client.AddressSet;
import dev.lychgate.client.Ban;
import dev.lychgate.client.Bans;
import dev.lychgate.client.ClientProtection;
import dev.lychgate.client.ClientProtections;
import dev.lychgate.client.ClientRefusal;
import dev.lychgate.server.metrics.Families.Group;
import java.util.Locale;

/** The metric families of the protection against single clients. Not thread-safe. */
final class ClientFamilies {
    private final Group<ClientProtection> listeners;
    private final Group<AddressSet> lists;
    private final Group<Bans> bans;

    ClientFamilies(Families families) {
        listeners = families.<ClientProtection>group("lychgate_client_", "listener")
                .counter(
                        "refusals{reason}",
                        "Connections, requests and streams of single clients that were refused, or that exceeded a"
                                + " limit that is not enforced",
                        (listener, row) -> {
                            for (ClientRefusal why : ClientRefusal.values()) {
                                row.set(listener.refused(why), why.label());
                            }
                        })
                .counter(
                        "crowded",
                        "Counts that several clients shared, because more clients were active than there are"
                                + " separate counts",
                        ClientProtection::crowded)
                .gauge(
                        "connected",
                        "Clients with open connections, if the number of connections is limited",
                        ClientProtection::connectedClients);
        lists = families.<AddressSet>group("lychgate_address_list_", "list")
                .gauge("blocks", "Blocks of addresses in the list, with duplicates", AddressSet::size);
        bans = families.<Bans>group("lychgate_bans_")
                .gauge("active", "Clients that are banned now", all -> all.all().size())
                .counter("set{by}", "Bans that were set, by their source", (all, row) -> {
                    for (Ban.Source by : Ban.Source.values()) {
                        row.set(all.set(by), by.name().toLowerCase(Locale.ROOT));
                    }
                })
                .counter("dropped", "Bans that were not set because too many clients were banned", Bans::dropped);
    }

    void read(ClientProtections clients) {
        clients.configured().forEach(listener -> listeners.read(listener, listener.listener()));
        clients.lists().forEach((name, list) -> lists.read(list, name));
        if (!clients.configured().isEmpty() || clients.bans().hasBeenUsed()) {
            bans.read(clients.bans());
        }
    }
}
