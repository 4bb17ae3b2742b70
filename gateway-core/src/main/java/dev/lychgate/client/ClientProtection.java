package dev.lychgate.client;

import dev.lychgate.config.BanRuleConfig;
import dev.lychgate.config.ClientProtectionConfig;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.limit.Buckets;
import dev.lychgate.limit.RateLimit;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The protection of one listener in a generation. The counts of its clients carry over to the next generation.
 * Thread-safe.
 */
public final class ClientProtection {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** The totals of a listener, which carry over to the next generation. */
    private static final class Totals {
        final Map<ClientRefusal, LongAdder> refused = new EnumMap<>(ClientRefusal.class);
        final LongAdder crowded = new LongAdder();

        Totals() {
            for (ClientRefusal why : ClientRefusal.values()) {
                refused.put(why, new LongAdder());
            }
        }
    }

    private final String listener;
    private final ClientProtectionConfig config;
    private final ClientsConfig clients;
    private final Bans bans;
    private final AddressSet[] allow;
    private final AddressSet[] deny;
    private final AddressSet[] exempt;
    private final ClientTables tables;
    private final Totals totals;

    /**
     * Creates the protection of a listener.
     *
     * @param listener the name of the listener
     * @param previous the protection of the listener in the previous generation; null if the listener had no protection
     */
    ClientProtection(
            String listener,
            ClientProtectionConfig config,
            ClientsConfig clients,
            @Nullable AddressLists lists,
            Bans bans,
            @Nullable ClientProtection previous) {
        this.listener = listener;
        this.config = config;
        this.clients = clients;
        this.bans = bans;
        this.allow = named(lists, config.allow());
        this.deny = named(lists, config.deny());
        this.exempt = named(lists, config.exempt());
        this.totals = previous == null ? new Totals() : previous.totals;
        this.tables = new ClientTables(config, clients, previous == null ? null : previous.tables, totals.crowded);
    }

    private static AddressSet[] named(@Nullable AddressLists lists, List<String> names) {
        return lists == null ? new AddressSet[0] : lists.named(names);
    }

    /** Returns the name of the listener. */
    public String listener() {
        return listener;
    }

    /** Returns the settings of the protection. */
    public ClientProtectionConfig config() {
        return config;
    }

    /**
     * Returns how many connections, requests and streams were refused for the reason {@code why}. With {@code mode:
     * shadow}, the number includes connections, requests and streams that exceeded a limit but were accepted.
     */
    public long refused(ClientRefusal why) {
        return Objects.requireNonNull(totals.refused.get(why)).sum();
    }

    /**
     * Returns how often a client was counted together with other clients, because all table entries for its address
     * were occupied.
     */
    public long crowded() {
        return totals.crowded.sum();
    }

    /**
     * Returns how many clients have open connections; 0 if the number of open connections is not limited. Reads the
     * whole table.
     */
    public int connectedClients() {
        return tables.connections == null ? 0 : tables.connections.clients();
    }

    /**
     * Returns a permit for a new connection, or the reason for its refusal.
     *
     * @param client the address of the peer of the connection
     */
    public ClientPermit connect(InetAddress client) {
        ClientRefusal why = refusal(client);
        if (why != null) {
            return refuse(why);
        }
        if ((tables.connections == null && tables.connectionRate == null) || isIn(exempt, client)) {
            return ClientPermit.UNLIMITED;
        }
        long hash = tables.hash(client);
        Buckets rate = tables.connectionRate;
        if (rate != null && rate.take(hash, 1, RateLimit.now()) < 0) {
            ClientPermit beyond = refuse(ClientRefusal.CONNECTION_RATE);
            if (beyond.refusal() != null) {
                return beyond;
            }
        }
        return enter(tables.connections, hash, config.connections(), ClientRefusal.CONNECTIONS);
    }

    /**
     * Returns a permit for a request, or the reason for its refusal.
     *
     * @param client the address of the client, possibly behind a proxy
     */
    public ClientPermit request(InetAddress client) {
        ClientRefusal why = refusal(client);
        if (why != null) {
            return refuse(why);
        }
        if ((tables.requests == null && tables.errors == null) || isIn(exempt, client)) {
            return ClientPermit.UNLIMITED;
        }
        ClientPermit permit = ClientPermit.UNLIMITED;
        if (tables.requests != null) {
            long hash = tables.hash(client);
            permit = enter(tables.requests, hash, config.requests(), ClientRefusal.REQUESTS);
        }
        return permit.refusal() == null && tables.errors != null ? permit.watched(this, client) : permit;
    }

    /**
     * Returns a permit for a request that was already rejected. The response to the request counts for the ban rule.
     */
    public ClientPermit rejected(InetAddress client) {
        return tables.errors == null || isIn(exempt, client)
                ? ClientPermit.UNLIMITED
                : ClientPermit.UNLIMITED.watched(this, client);
    }

    /**
     * Returns the limit of streams that the gateway announces on a connection of the client; 0 if the protection does
     * not limit the streams.
     */
    public int announcedStreams(InetAddress client) {
        return config.mode() == Mode.ENFORCE && !isIn(exempt, client) ? config.streams() : 0;
    }

    /**
     * Returns a permit for an HTTP/2 stream, or the reason for its refusal.
     *
     * @param client the address of the connection's peer
     */
    public ClientPermit stream(InetAddress client) {
        if (tables.streams == null || isIn(exempt, client)) {
            return ClientPermit.UNLIMITED;
        }
        long hash = tables.hash(client);
        return enter(tables.streams, hash, config.streams(), ClientRefusal.STREAMS);
    }

    private ClientPermit enter(@Nullable ClientCounts counts, long hash, int most, ClientRefusal beyond) {
        if (counts == null) {
            return ClientPermit.UNLIMITED;
        }
        int place = counts.enter(hash, most);
        return place < 0 ? refuse(beyond) : ClientPermit.counted(counts, place);
    }

    /**
     * Counts a refusal for the reason {@code why}.
     *
     * @return a permit that accepts the client if the reason is a limit that is not enforced; otherwise the refusal
     */
    private ClientPermit refuse(ClientRefusal why) {
        Objects.requireNonNull(totals.refused.get(why)).increment();
        return config.mode() == Mode.SHADOW && why.isOfLimit() ? ClientPermit.UNLIMITED : ClientPermit.refused(why);
    }

    /**
     * Returns the reason why a list or a ban refuses a client; null if no list and no ban refuses the client. The
     * refusal is not counted.
     */
    public @Nullable ClientRefusal refusal(InetAddress client) {
        if (deny.length > 0 && isIn(deny, client)) {
            return ClientRefusal.DENIED;
        }
        if (allow.length > 0 && !isIn(allow, client)) {
            return ClientRefusal.NOT_ALLOWED;
        }
        return !bans.isEmpty() && bans.of(client) != null && !isIn(exempt, client) ? ClientRefusal.BANNED : null;
    }

    private static boolean isIn(AddressSet[] lists, InetAddress client) {
        for (AddressSet list : lists) {
            if (list.contains(client)) {
                return true;
            }
        }
        return false;
    }

    /** Counts the response to a request, and bans the client if too many of its requests were errors. */
    void responded(InetAddress client, int status) {
        BanRuleConfig rule = config.ban();
        ErrorShares errors = tables.errors;
        // Clients do not cause 5xx responses, so 5xx responses neither count as errors nor lower the share of errors.
        if (rule == null || errors == null || status >= 500) {
            return;
        }
        long hash = tables.hash(client);
        boolean reached = errors.count(hash, rule.isError(status), RateLimit.now() / NANOS_PER_SECOND);
        if (reached && config.mode() == Mode.ENFORCE) {
            bans.add(
                    client,
                    clients,
                    rule.length(),
                    "the share of error responses reached " + rule.errors() + " (minimum number of responses: "
                            + rule.requests() + ")",
                    Ban.Source.ERRORS,
                    listener);
        }
    }
}
