package dev.lychgate;

import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.server.admin.AdminAccess;
import dev.lychgate.server.admin.AdminServer;
import dev.lychgate.server.admin.AdminSource;
import dev.lychgate.server.metrics.GatewayMetrics;
import io.netty.channel.Channel;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin listener of a gateway. A reload can add, move and remove this listener. Thread-safe, but only one thread at
 * a time may change the listener.
 */
final class AdminListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminListener.class);

    private final AdminSource source;
    private final Executor ending;
    private volatile @Nullable AdminServer server;
    private volatile @Nullable AdminConfig config;
    private volatile @Nullable GatewayMetrics metrics;
    private boolean counted;
    /** The number of requests without valid credentials that removed listeners have received. */
    private final AtomicLong turnedAway = new AtomicLong();

    /** @param ending closes a removed listener, which may take a second */
    private AdminListener(AdminSource source, Executor ending) {
        this.source = source;
        this.ending = ending;
    }

    /**
     * Starts the admin listener, if one is configured.
     *
     * @throws ConfigException if the token or the certificates are not readable
     * @throws StartFailure if the listener can't bind its address
     */
    static AdminListener start(@Nullable AdminConfig config, AdminSource source, Executor ending) {
        AdminListener listener = new AdminListener(source, ending);
        if (config != null) {
            listener.server = AdminServer.start(config, source);
            listener.config = config;
        }
        return listener;
    }

    /** Registers the metrics, and logs the address and warnings. Called when the gateway serves. */
    void begin(GatewayMetrics registry) {
        metrics = registry;
        announce();
    }

    private void announce() {
        GatewayMetrics registry = metrics;
        AdminServer running = server;
        AdminConfig settings = config;
        if (registry == null || running == null || settings == null) {
            return;
        }
        if (!counted) {
            counted = true;
            registry.counter(
                    "lychgate.admin.turned.away",
                    "Requests to the admin listener without the required token or certificate",
                    this::turnedAway);
        }
        LOG.info(
                "admin listener on {}",
                (settings.tls() == null ? "http://" : "https://") + NetUtil.toSocketAddressString(running.address()));
        settings.warnings().forEach(warning -> LOG.warn("{}", warning));
    }

    private long turnedAway() {
        AdminServer running = server;
        return turnedAway.get() + (running == null ? 0 : running.turnedAway());
    }

    /** Returns the running listener; null if there is none. */
    @Nullable
    AdminServer server() {
        return server;
    }

    /** Returns the bound address; null if there is no admin listener. */
    @Nullable
    InetSocketAddress address() {
        AdminServer running = server;
        return running == null ? null : running.address();
    }

    /**
     * Reads the credentials of changed settings, and binds a changed address. Nothing else changes before
     * {@link Change#commit}.
     *
     * @throws ConfigException if the settings can't be used; in this case, nothing changes
     */
    Change prepare(GatewayConfig changed) {
        return new Change(changed.admin());
    }

    /**
     * Checks changed settings, as far as this is possible without binding an address.
     *
     * @throws ConfigException if the credentials can't be used
     */
    void verify(GatewayConfig changed) {
        AdminServer running = server;
        if (changed.admin() != null) {
            AdminAccess.of(changed.admin(), running == null ? null : running.access());
        }
    }

    /** The next state of the admin listener. */
    final class Change implements AutoCloseable {
        private final @Nullable AdminConfig next;
        private final @Nullable AdminAccess access;
        private @Nullable AdminServer added;
        private @Nullable Channel moved;

        private Change(@Nullable AdminConfig next) {
            AdminServer running = server;
            AdminConfig before = config;
            this.next = next;
            this.access = next == null || running == null ? null : AdminAccess.of(next, running.access());
            if (next != null && running == null) {
                this.added = started(next);
            } else if (next != null
                    && before != null
                    && running != null
                    && !before.address().equals(next.address())) {
                this.moved = running.prepare(next);
            }
        }

        private AdminServer started(AdminConfig config) {
            try {
                AdminServer held = AdminServer.start(config, source);
                held.holdConnections();
                return held;
            } catch (StartFailure e) {
                throw new ConfigException("admin.address", config.address(), String.valueOf(e.getMessage()), e);
            }
        }

        /** Uses the changed settings. */
        void commit() {
            AdminServer running = server;
            boolean shows = added != null || moved != null;
            if (running != null && access != null) {
                running.use(access);
            }
            if (running != null && next != null && moved != null) {
                running.move(next, moved);
            } else if (added != null) {
                server = added;
                added.acceptConnections();
            } else if (running != null && next == null) {
                LOG.info("admin listener removed");
                turnedAway.addAndGet(running.turnedAway());
                server = null;
                running.stopAccepting();
                ending.execute(running::close);
            }
            config = next;
            added = null;
            moved = null;
            if (shows) {
                announce();
            }
        }

        /** Closes a listener or a socket that is not in use. Has no effect after {@link #commit}. */
        @Override
        public void close() {
            if (added != null) {
                added.close();
            }
            if (moved != null) {
                Objects.requireNonNull(moved).close();
            }
        }
    }

    @Override
    public void close() {
        AdminServer running = server;
        if (running != null) {
            running.close();
        }
    }
}
