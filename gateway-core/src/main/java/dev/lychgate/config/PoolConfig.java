package dev.lychgate.config;

import java.time.Duration;

/**
 * Limits of the connection pools of one upstream. Counted per event loop: a limit of N over L loops is N/L per loop,
 * rounded up; a limit smaller than L is shared by all loops.
 *
 * @param connections open connections per endpoint and process; default 1024
 * @param pending requests that may wait for a connection, per upstream and process; beyond it 503; default 16384
 * @param idle how long an unused connection is kept; default 4s, below the 5s after which many origins close
 * @param lifetime how long a connection is used at most; 0 = no limit; default 10m
 * @param requests how many requests a connection carries at most; 0 = no limit, the default
 * @param protocol what is spoken on its connections; default HTTP/1.1
 * @param reclaim how long a client may keep a connection waiting, by sending nothing of its request or taking nothing of its
 *     answer, while requests wait for a connection and none may be opened; 0 = as long as it likes; default 2s
 * @param streams how many requests an HTTP/2 connection carries at once at most, if its origin allows as many; default 100
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
    private static final int STREAMS = 100;
    private static final Duration RECLAIM = Duration.ofSeconds(2);

    public static final PoolConfig DEFAULT =
            new PoolConfig(1024, 16_384, Duration.ofSeconds(4), Duration.ofMinutes(10), 0);

    public PoolConfig {
        Expect.between(1, 1_000_000, "connections", connections);
        Expect.between(0, 10_000_000, "pending", pending);
        Expect.positive("idle", idle);
        Expect.notNegative("lifetime", lifetime);
        Expect.that(requests >= 0, "requests", requests, ">= 0 (0 = no limit)");
        Expect.notNegative("reclaim", reclaim);
        Expect.between(1, 10_000, "streams", streams);
    }

    /** Limits of connections that carry one request at a time. */
    public PoolConfig(int connections, int pending, Duration idle, Duration lifetime, int requests) {
        this(connections, pending, idle, lifetime, requests, RECLAIM, UpstreamProtocol.HTTP_1_1, STREAMS);
    }

    /** The same limits for connections on which {@code other} is spoken. */
    public PoolConfig speaking(UpstreamProtocol other) {
        return new PoolConfig(connections, pending, idle, lifetime, requests, reclaim, other, streams);
    }

    /** The same limits, with at most so many requests at once on each connection that can carry several. */
    public PoolConfig withStreams(int most) {
        return new PoolConfig(connections, pending, idle, lifetime, requests, reclaim, protocol, most);
    }

    /** The same limits, with another patience with clients that keep connections waiting. */
    public PoolConfig withReclaim(Duration patience) {
        return new PoolConfig(connections, pending, idle, lifetime, requests, patience, protocol, streams);
    }
}
