package dev.lychgate.config;

import java.time.Duration;

/**
 * Limits of the connection pools of one upstream. Counted per event loop: a limit of N over L loops is N/L per loop,
 * rounded up; a limit smaller than L is shared by all loops.
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
            .about("open connections per endpoint and process; with `protocol: h2` at least one for each event loop");

    private static final Key<Integer> PENDING = Key.number("pending", 16_384)
            .unit("requests")
            .between(0, 10_000_000)
            .about("requests that may wait for a connection, per process; beyond it 503");
    private static final Key<Duration> IDLE = Key.duration("idle", "4s")
            .positive()
            .about("how long an unused connection is kept; below the 5 s after which many origins close");
    private static final Key<Duration> LIFETIME =
            Key.duration("lifetime", "10m").about("how long a connection is used at most; `0` = no limit");
    private static final Key<Integer> REQUESTS = Key.number("requests", 0)
            .unit("requests")
            .atLeast(0)
            .about("requests a connection carries at most; `0` = no limit");
    private static final Key<Duration> RECLAIM = Key.duration("reclaim", "2s")
            .about("how long a client may keep a connection waiting, by sending nothing of its request or "
                    + "taking nothing of its answer, while requests wait and no connection may be opened; of the "
                    + "same event loop's; checked every 100 ms; `0` = as long as it likes");
    private static final Key<Integer> STREAMS = Key.number("streams", 100)
            .unit("requests")
            .between(1, 10_000)
            .about("requests that an HTTP/2 connection carries at once at most, if its origin allows as many");

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

    /** Reads a section. */
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

    /** Limits of connections that carry one request at a time. */
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

    /** The same limits for connections on which {@code other} is spoken. */
    public PoolConfig speaking(UpstreamProtocol other) {
        return new PoolConfig(connections, pending, idle, lifetime, requests, reclaim, other, streams);
    }

    /** The same limits, with another patience with clients that keep connections waiting. */
    public PoolConfig withReclaim(Duration patience) {
        return new PoolConfig(connections, pending, idle, lifetime, requests, patience, protocol, streams);
    }
}
