package dev.lychgate.client;

import static java.util.Objects.requireNonNull;

import dev.lychgate.config.BanRuleConfig;
import dev.lychgate.config.ClientProtectionConfig;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.Rate;
import dev.lychgate.limit.Buckets;
import dev.lychgate.limit.ClientPrefix;
import dev.lychgate.limit.KeyedHash;
import java.net.InetAddress;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The tables with the counts of the clients of one listener. A table exists only if its limit is configured. If the
 * settings of a table are unchanged, the next generation takes over the table, so that open connections and running
 * requests stay counted after a reload. Thread-safe.
 */
final class ClientTables {
    private final ClientsConfig clients;
    private final @Nullable Rate rate;
    private final @Nullable BanRuleConfig rule;
    final @Nullable ClientCounts connections;
    final @Nullable Buckets connectionRate;
    final @Nullable ClientCounts requests;
    final @Nullable ClientCounts streams;
    final @Nullable ErrorShares errors;
    /**
     * Computes the hashes of addresses; null if there are no tables. The constructor loads the class of this field,
     * because the first use of the class reads a random key, which blocks.
     */
    private final @Nullable KeyedHash hash;

    /**
     * Creates the tables of a listener.
     *
     * @param before the tables of the previous generation; null if the listener had no tables
     */
    ClientTables(
            ClientProtectionConfig config, ClientsConfig clients, @Nullable ClientTables before, LongAdder crowded) {
        this.clients = clients;
        this.rate = config.connectionRate();
        this.rule = config.ban();
        ClientTables kept = before != null && before.clients.equals(clients) ? before : null;
        this.connections =
                counts(config.connections(), kept == null ? null : kept.connections, clients.maxClients(), crowded);
        this.requests = counts(config.requests(), kept == null ? null : kept.requests, clients.maxClients(), crowded);
        this.streams = counts(config.streams(), kept == null ? null : kept.streams, clients.maxClients(), crowded);
        this.connectionRate = buckets(kept, crowded);
        this.errors = errors(kept);
        boolean empty =
                connections == null && requests == null && streams == null && connectionRate == null && errors == null;
        this.hash = empty ? null : KeyedHash.OF_PROCESS;
    }

    /**
     * Returns a hash of a client's address. Clients cannot predict the hash, because it has a secret key. Requires that
     * there is a table.
     */
    long hash(InetAddress client) {
        return ClientPrefix.of(client, clients).hash(requireNonNull(hash), 0);
    }

    private static @Nullable ClientCounts counts(
            int limit, @Nullable ClientCounts before, int clients, LongAdder crowded) {
        return limit == 0 ? null : before != null ? before : new ClientCounts(clients, crowded);
    }

    private @Nullable Buckets buckets(@Nullable ClientTables kept, LongAdder crowded) {
        if (rate == null) {
            return null;
        }
        return kept != null && rate.equals(kept.rate)
                ? kept.connectionRate
                : new Buckets(clients.maxClients(), rate.interval(), rate.units(), crowded);
    }

    private @Nullable ErrorShares errors(@Nullable ClientTables kept) {
        if (rule == null) {
            return null;
        }
        return kept != null && rule.equals(kept.rule) ? kept.errors : new ErrorShares(clients.maxClients(), rule);
    }

    /** Returns the number of bytes that the tables occupy. */
    static long bytes(ClientProtectionConfig config, int clients) {
        int counts =
                (config.connections() > 0 ? 1 : 0) + (config.requests() > 0 ? 1 : 0) + (config.streams() > 0 ? 1 : 0);
        return counts * ClientCounts.bytes(clients)
                + (config.connectionRate() == null ? 0 : Buckets.bytes(clients))
                + (config.ban() == null ? 0 : ErrorShares.bytes(clients));
    }
}
