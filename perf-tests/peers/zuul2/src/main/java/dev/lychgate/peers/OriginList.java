package dev.lychgate.peers;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.loadbalancer.ConfigurationBasedServerList;
import com.netflix.loadbalancer.Server;
import com.netflix.niws.loadbalancer.DiscoveryEnabledServer;
import java.util.ArrayList;
import java.util.List;

/** The origins of the configuration as {@link DiscoveryEnabledServer}s, as Zuul's resolver requires. */
public final class OriginList extends ConfigurationBasedServerList {
    @Override
    protected List<Server> derive(String addresses) {
        List<Server> servers = new ArrayList<>();
        for (String address : addresses.split(",")) {
            int colon = address.indexOf(':');
            String host = address.substring(0, colon);
            InstanceInfo instance = InstanceInfo.Builder.newBuilder()
                    .setAppName("origin")
                    .setHostName(host)
                    .setIPAddr(host)
                    .setPort(Integer.parseInt(address.substring(colon + 1)))
                    .build();
            servers.add(new DiscoveryEnabledServer(instance, false, true));
        }
        return servers;
    }
}
