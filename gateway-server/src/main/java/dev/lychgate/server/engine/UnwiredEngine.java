package dev.lychgate.server.engine;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.GatewayConfig;
import java.util.List;

/** Stands where the data plane goes: settings can be checked, nothing can be served. */
public final class UnwiredEngine implements GatewayEngine {
    @Override
    public List<ConfigException> faults(GatewayConfig config) {
        return List.of();
    }

    @Override
    public RunningGateway start(GatewayConfig config) throws StartException {
        throw new StartException("this build has no data plane");
    }

    @Override
    public List<String> explain(GatewayConfig config, Inquiry inquiry) {
        return List.of("this build has no route table");
    }
}
