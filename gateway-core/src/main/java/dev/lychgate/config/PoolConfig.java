package dev.lychgate.config;

import java.time.Duration;

/**
 * The limits for the connection pools of one upstream. Each limit is divided equally among the event loops, and the
 * parts are rounded up. A limit that is smaller than the number of loops is not divided: all loops share it.
 */
public record PoolConfig(
        int connections,
        int pending,
        Duration idle,
        Duration lifetime,
        int requests,
        Duration reclaim,
        UpstreamProtocol protocol,
        int streams) {

    private static final Key<Integer> CONNECTIONS = Key.number("connections", 1024)
            .unit("connections")
            .between(1, 1_000_000)
            .about("the maximum number of open connections per endpoint and process; with `protocol: h2`, each event "
                    + "loop may always open at least one connection");

    private static final Key<Integer> PENDING = Key.number("pending", 16_384)
            .unit("requests")
            .between(0, 10_000_000)
            .about("the maximum number of requests that wait for a connection, per process; further requests are "
                    + "rejected with 503");
    private static final Key<Duration> IDLE = Key.duration("idle", "4s")
            .positive()
            .about("the time for which an idle connection is kept; the default is below the 5 s after which many "
                    + "origins close idle connections");
    private static final Key<Duration> LIFETIME =
            Key.duration("lifetime", "10m").about("the longest lifetime of a connection; `0` = no limit");
    private static final Key<Integer> REQUESTS = Key.number("requests", 0)
            .unit("requests")
            .atLeast(0)
            .about("the maximum number of requests that one connection carries; `0` = no limit");
    private static final Key<Duration> RECLAIM = Key.duration("reclaim", "2s")
            .about("the time for which a client may stall a connection while other requests of the same event loop "
                    + "wait for one and no further connection may be opened; a client stalls a connection if it sends "
                    + "nothing of its request or reads nothing of its response; checked every 100 ms; `0` = no limit");
    private static final Key<Integer> STREAMS = Key.number("streams", 100)
            .unit("requests")
            .between(1, 10_000)
            .about("the maximum number of concurrent requests on one HTTP/2 connection; the origin may set a lower "
                    + "limit");

    public static final PoolConfig DEFAULT = read(Key.DEFAULTS);

    public PoolConfig {
        LIFETIME.check(lifetime);
        RECLAIM.check(reclaim);
        CONNECTIONS.check(connections);
        PENDING.check(pending);
        IDLE.check(idle);
        REQUESTS.check(requests);
        STREAMS.check(streams);
    }

    /** Reads the section {@code pool} of an upstream. */
    static PoolConfig read(Key.Values values) {
        return new PoolConfig(
                values.get(CONNECTIONS),
                values.get(PENDING),
                values.get(IDLE),
                values.get(LIFETIME),
                values.get(REQUESTS),
                values.get(RECLAIM),
                UpstreamProtocol.HTTP_1_1,
                values.get(STREAMS));
    }

    /** Creates limits for connections that carry one request at a time. */
    public PoolConfig(int connections, int pending, Duration idle, Duration lifetime, int requests) {
        this(
                connections,
                pending,
                idle,
                lifetime,
                requests,
                RECLAIM.otherwise(),
                UpstreamProtocol.HTTP_1_1,
                STREAMS.otherwise());
    }

    /** Returns these limits for connections with protocol {@code other}. */
    public PoolConfig speaking(UpstreamProtocol other) {
        return new PoolConfig(connections, pending, idle, lifetime, requests, reclaim, other, streams);
    }

    /** Returns these limits with another time for which a client may stall a connection that other requests need. */
    public PoolConfig withReclaim(Duration patience) {
        return new PoolConfig(connections, pending, idle, lifetime, requests, patience, protocol, streams);
    }
}
