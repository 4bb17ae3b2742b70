package dev.lychgate.config;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A source of endpoints in Consul.
 *
 * @param server the connection to the agents or servers
 * @param token the token (Consul ACL); null = none
 * @param datacenter the data center of the services; empty = the data center of the agent
 * @param hold the longest time for which Consul may delay its response while the service does not change
 */
public record ConsulConfig(RegistryConfig server, @Nullable String token, String datacenter, Duration hold) {
    private static final Key<String> TOKEN = Key.typed("token", Form.SECRET, null)
            .matching("[!-~]{1,256}", "1 to 256 characters of ASCII without blanks")
            .about("the token (`X-Consul-Token`), preferably a [secret](secrets.md) such as `${file:PATH}`; the token "
                    + "needs the permissions `service:read` and `node:read`");
    private static final Key<String> DATACENTER = Key.typed("datacenter", Form.NAMED_OR_NONE, "")
            .absent("the data center of the agent")
            .about("the data center of the services");
    private static final Key<Duration> HOLD = Key.duration("hold", "1m")
            .between("1s", "10m")
            .about("the longest time for which Consul may delay its response while the service does not change");

    public ConsulConfig {
        TOKEN.check(token);
        DATACENTER.check(datacenter);
        HOLD.check(hold);
        server.protect("token", token != null);
    }

    static ConsulConfig read(Key.Values values) {
        Supplier<RegistryConfig> server = RegistryConfig.read(values);
        String token = values.get(TOKEN);
        String datacenter = values.get(DATACENTER);
        Duration longest = values.get(HOLD);
        return new ConsulConfig(server.get(), token, datacenter, longest);
    }

    /** Creates a source on this connection, with the defaults for all other components. */
    public static ConsulConfig of(RegistryConfig server) {
        return new ConsulConfig(server, null, "", HOLD.otherwise());
    }

    /** Returns this source with another token. */
    public ConsulConfig withToken(String other) {
        return new ConsulConfig(server, other, datacenter, hold);
    }

    /**
     * Returns this source with a different value of {@code hold}: the longest time for which Consul may delay a
     * response.
     */
    public ConsulConfig withHold(Duration other) {
        return new ConsulConfig(server, token, datacenter, other);
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return "ConsulConfig[server=" + server + ", token=***, datacenter=" + datacenter + ", hold=" + hold + "]";
    }
}
