package dev.lychgate.perf;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * A gateway without observability: no metrics, no recorder, no logs, no admin listener.
 * {@code perf-tests/telemetry-cost} compares it with a gateway that has all of these.
 */
final class BareGateway {
    private BareGateway() {}

    /** @param args the configuration file */
    public static void main(String[] args) throws Exception {
        Environment nothing = name -> null;
        GatewayConfig config = new ConfigReader(nothing).read(Path.of(args[0])).config();
        Gateway.start(config, FilterSet.EMPTY, ExchangeObserver.NONE);
        new CountDownLatch(1).await();
    }
}
