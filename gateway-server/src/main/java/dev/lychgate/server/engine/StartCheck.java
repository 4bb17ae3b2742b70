package dev.lychgate.server.engine;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.server.admin.AdminAccess;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What keeps a configuration from starting on any machine, though each of its records is in order. */
final class StartCheck {
    private final List<ConfigException> faults = new ArrayList<>();
    private final Map<InetSocketAddress, String> taken = new HashMap<>();

    private StartCheck() {}

    /** Every fault, its key being the path from the top; empty if all is well. */
    static List<ConfigException> faults(GatewayConfig config) {
        StartCheck check = new StartCheck();
        for (int i = 0; i < config.listeners().size(); i++) {
            ListenerConfig listener = config.listeners().get(i);
            check.bind("listeners[" + i + "].address", listener.address(), "listener " + listener.name());
        }
        check.admin(config.admin());
        return check.faults;
    }

    /** Listeners whose sockets share their port would even start, and take turns. */
    private void bind(String key, @Nullable BindAddress address, String owner) {
        if (address == null || address.port() == 0) {
            return;
        }
        InetSocketAddress where = new InetSocketAddress(address.host(), address.port());
        String earlier = taken.putIfAbsent(where, owner);
        if (earlier != null) {
            faults.add(new ConfigException(key, address, "an address of its own; " + earlier + " has this one"));
        }
    }

    private void admin(@Nullable AdminConfig admin) {
        if (admin == null) {
            return;
        }
        bind("admin.address", admin.address(), "admin");
        try {
            AdminAccess.of(admin, null);
        } catch (ConfigException e) {
            faults.add(e);
        }
    }
}
