package dev.lychgate.config;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How endpoints are asked whether they are well.
 *
 * @param path what a GET asks for; null = it is enough that a connection is accepted, unless {@code grpc} is there
 * @param host the Host field or {@code :authority}; null = the endpoint's own
 * @param port where to ask; 0 = the endpoint's own; default 0
 * @param interval from one check to the next; default 5s
 * @param jitter by how much of the interval each one comes earlier, at most; default 10%
 * @param timeout longest time for a check; default 2s
 * @param rise how many good checks in a row make an unhealthy endpoint healthy; default 2
 * @param fall how many bad ones make a healthy one unhealthy; default 3
 * @param statuses what a good answer may have; empty = any from 200 to 399
 * @param body what a good answer's first 64 KiB contain; null = anything
 * @param grpc what a server of gRPC is asked for in place of a path; null = nothing
 */
public record ActiveHealthConfig(
        @Nullable String path,
        @Nullable String host,
        int port,
        Duration interval,
        Percent jitter,
        Duration timeout,
        int rise,
        int fall,
        Set<Integer> statuses,
        @Nullable String body,
        @Nullable GrpcHealthConfig grpc) {
    /** Whether a connection is accepted. */
    public static final ActiveHealthConfig DEFAULT = new ActiveHealthConfig(
            null, null, 0, Duration.ofSeconds(5), new Percent(10), Duration.ofSeconds(2), 2, 3, Set.of(), null);

    public ActiveHealthConfig {
        statuses = Set.copyOf(statuses);
        Expect.that(
                path == null || path.matches("/[!-~&&[^#]]*"),
                "path",
                String.valueOf(path),
                "a path of visible ASCII, such as /health");
        if (host != null) {
            Expect.hostField("host", host);
        }
        Expect.between(0, 65535, "port", port);
        Expect.that(interval.toMillis() >= 100, "interval", Durations.print(interval), ">= 100ms");
        Expect.that(jitter.value() <= 100, "jitter", jitter, "<= 100%");
        Expect.that(timeout.toMillis() >= 10, "timeout", Durations.print(timeout), ">= 10ms");
        Expect.between(1, 1000, "rise", rise);
        Expect.between(1, 1000, "fall", fall);
        for (int status : statuses) {
            Expect.between(200, 599, "status", status);
        }
        Expect.that(grpc == null || path == null, "grpc", "beside path", "one of the two: a call, or a GET of a path");
        Expect.that(
                path != null || (statuses.isEmpty() && body == null),
                "path",
                "none",
                "a path, where an answer is spoken of");
        Expect.that(
                path != null || grpc != null || host == null,
                "path",
                "none",
                "a path, or grpc, where a Host is spoken of");
    }

    /** Checks that make no call of gRPC. */
    public ActiveHealthConfig(
            @Nullable String path,
            @Nullable String host,
            int port,
            Duration interval,
            Percent jitter,
            Duration timeout,
            int rise,
            int fall,
            Set<Integer> statuses,
            @Nullable String body) {
        this(path, host, port, interval, jitter, timeout, rise, fall, statuses, body, null);
    }

    /** This with a call of gRPC in place of a path. */
    public ActiveHealthConfig calling(GrpcHealthConfig other) {
        return new ActiveHealthConfig(null, host, port, interval, jitter, timeout, rise, fall, Set.of(), null, other);
    }
}
