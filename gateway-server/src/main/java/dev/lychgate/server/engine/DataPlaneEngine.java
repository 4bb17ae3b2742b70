package dev.lychgate.server.engine;

import dev.lychgate.Lychgate;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.filter.Filter;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.generation.Generation;
import dev.lychgate.listener.BindFailure;
import dev.lychgate.route.RouteTable;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.filters.NamedFilters;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Gateways of the real data plane. */
public final class DataPlaneEngine implements GatewayEngine {
    @Override
    public List<ConfigException> faults(GatewayConfig config) {
        List<ConfigException> faults = new ArrayList<>(StartCheck.faults(config));
        faults.addAll(RouteTable.faults(config.routes()));
        try {
            Map<String, Filter> named = NamedFilters.of(config.filters());
            faults.addAll(FilterAssembly.faults(config, named));
            if (faults.isEmpty()) {
                // What only shows when all is put together, and the self-checks of filters.
                Generation.first(config, FilterAssembly.of(config, named).filters(), 1);
            }
        } catch (ConfigException e) {
            faults.add(e);
        }
        return faults;
    }

    @Override
    public RunningGateway start(GatewayConfig config) throws StartException {
        try {
            return new Running(Lychgate.start(config));
        } catch (BindFailure | StartFailure | ConfigException e) {
            throw new StartException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public List<String> explain(GatewayConfig config, Inquiry inquiry) {
        return Explanation.lines(config, inquiry);
    }

    private static final class Running implements RunningGateway {
        private final Lychgate gateway;
        private final CountDownLatch ended = new CountDownLatch(1);

        Running(Lychgate gateway) {
            this.gateway = gateway;
            gateway.gateway().broken().thenRun(ended::countDown);
        }

        @Override
        public List<Bound> listeners() {
            return gateway.gateway().listeners().stream()
                    .map(l -> new Bound(l.config().name(), l.address()))
                    .toList();
        }

        @Override
        public @Nullable InetSocketAddress admin() {
            return gateway.adminAddress();
        }

        @Override
        public boolean drain(Duration atMost) {
            int cut = gateway.drain(atMost);
            ended.countDown();
            return cut == 0;
        }

        @Override
        public void awaitClosed() throws InterruptedException {
            ended.await();
        }

        @Override
        public boolean isBroken() {
            return gateway.gateway().broken().isDone();
        }
    }
}
