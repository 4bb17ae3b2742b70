package dev.lychgate.client;

import dev.lychgate.config.ClientProtectionConfig;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The protections of all listeners in a generation. Listeners without settings also have protections, because bans
 * apply to all listeners. If no listener has settings, the protections are created on their first use. Thread-safe.
 */
public final class ClientProtections {
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;

    private final GatewayConfig config;
    private final @Nullable AddressLists lists;
    private final Bans bans;
    private final boolean configured;
    /** The protections by the name of the listener; null until their first use. */
    private final AtomicReference<@Nullable Map<String, ClientProtection>> protections = new AtomicReference<>();

    private ClientProtections(
            GatewayConfig config,
            @Nullable AddressLists lists,
            Bans bans,
            @Nullable Map<String, ClientProtection> before) {
        this.config = config;
        this.lists = lists;
        this.bans = bans;
        this.configured = config.listeners().stream().anyMatch(listener -> listener.clientProtection() != null);
        if (configured || before != null) {
            protections.set(build(before == null ? Map.of() : before));
        }
    }

    private Map<String, ClientProtection> build(Map<String, ClientProtection> before) {
        Map<String, ClientProtection> all = new LinkedHashMap<>();
        for (ListenerConfig listener : config.listeners()) {
            ClientProtectionConfig own = listener.clientProtection();
            all.put(
                    listener.name(),
                    protection(
                            listener.name(),
                            own == null ? ClientProtectionConfig.NONE : own,
                            before.get(listener.name())));
        }
        return all;
    }

    private ClientProtection protection(
            String listener, ClientProtectionConfig own, @Nullable ClientProtection previous) {
        return new ClientProtection(listener, own, config.policies().clients(), lists, bans, previous);
    }

    /**
     * Returns the protections of a configuration. Reads the files of address lists; blocks.
     *
     * @param previous the protections of the previous generation; null if there is none
     * @throws ConfigException if a file can't be used, or if the tables need more than a quarter of the heap
     */
    public static ClientProtections of(GatewayConfig config, Bans bans, @Nullable ClientProtections previous) {
        requireMemory(config);
        AddressLists lists = config.policies().addressLists().isEmpty()
                ? null
                : AddressLists.of(config, previous == null ? null : previous.lists);
        return new ClientProtections(config, lists, bans, previous == null ? null : previous.protections.get());
    }

    private static void requireMemory(GatewayConfig config) {
        ClientsConfig clients = config.policies().clients();
        long bytes = config.listeners().stream()
                .map(ListenerConfig::clientProtection)
                .filter(Objects::nonNull)
                .mapToLong(protection -> ClientTables.bytes(protection, clients.maxClients()))
                .sum();
        if (bytes > MOST_BYTES) {
            throw new ConfigException(
                    "clients.max-clients",
                    clients.maxClients() + ", for which the tables of all listeners need " + (bytes >> 20) + " MiB",
                    "a number for which the tables need at most " + (MOST_BYTES >> 20) + " MiB, a quarter of the heap");
        }
    }

    /**
     * Returns these protections for a generation that is in force together with the generation of {@code current}. If
     * an address list has the same settings in both generations, both generations use one copy of the list.
     */
    public ClientProtections beside(ClientProtections current) {
        AddressLists other = current.lists;
        return lists == null || other == null
                ? this
                : new ClientProtections(config, lists.beside(other), bans, protections.get());
    }

    /** Returns whether no listener has settings and no client is banned, so that no check is necessary. */
    public boolean isIdle() {
        return !configured && bans.isEmpty();
    }

    /** Returns the protection of a listener. */
    public ClientProtection of(String listener) {
        ClientProtection known = all().get(listener);
        // A listener that a reload has removed may still have open connections.
        return known == null ? protection(listener, ClientProtectionConfig.NONE, null) : known;
    }

    private Map<String, ClientProtection> all() {
        Map<String, ClientProtection> all = protections.get();
        if (all == null) {
            protections.compareAndSet(null, build(Map.of()));
            all = Objects.requireNonNull(protections.get());
        }
        return all;
    }

    /** Returns the protections with settings, in the order of the listeners. */
    public List<ClientProtection> configured() {
        return configured
                ? all().values().stream()
                        .filter(protection -> !protection.config().equals(ClientProtectionConfig.NONE))
                        .toList()
                : List.of();
    }

    /** Returns the addresses of each list, in the order of the configuration. */
    public Map<String, AddressSet> lists() {
        return lists == null ? Map.of() : lists.all();
    }

    /** Returns the bans, which all generations of the gateway share. */
    public Bans bans() {
        return bans;
    }

    /** Returns the settings that define how {@link #bans} identify a client. */
    public ClientsConfig clients() {
        return config.policies().clients();
    }
}
