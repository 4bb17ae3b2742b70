package dev.lychgate.config;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The active health checks for the endpoints of an upstream. */
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
    private static final Key<String> PATH = Key.text("path")
            .matching("/[!\"$-~]*", "a path of visible ASCII, such as /health")
            .about("the path of the GET request; without `path` and without `grpc`, a check succeeds if the endpoint "
                    + "accepts a connection");

    private static final Key<String> HOST = Key.text("host")
            .matching(Form.HOST_FIELD)
            .about("the value of the Host field, or of `:authority`, in the request of a check; by default the host of "
                    + "the endpoint. Needs `path` or `grpc`");
    private static final Key<Integer> PORT = Key.number("port", 0)
            .between(0, 65535)
            .about("the port that receives the checks; `0` = the port of the endpoint");
    private static final Key<Duration> INTERVAL = Key.duration("interval", "5s")
            .atLeast("100ms")
            .about("the interval between the starts of two checks; a check starts only after the previous "
                    + "check has ended");
    private static final Key<Percent> JITTER = Key.percent("jitter", "10%")
            .atMost("100%")
            .about("the maximum share of the interval by which a check starts early; the actual share is random");
    private static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "2s").atLeast("10ms").about("the timeout of a check");
    private static final Key<Integer> RISE = Key.number("rise", 2)
            .between(1, 1000)
            .about("the number of consecutive successful checks that make an unhealthy endpoint healthy");
    private static final Key<Integer> FALL = Key.number("fall", 3)
            .between(1, 1000)
            .about("the number of consecutive failed checks that make a healthy endpoint unhealthy; the first check of "
                    + "an endpoint alone decides whether the endpoint is healthy");
    private static final Key<Set<Integer>> STATUSES = Key.typed(
                    "status", Form.set(Form.NUMBER.within(new Form.Range(200, 599, false))), Set.of())
            .called("list")
            .absent("-")
            .about("the statuses, from 200 to 599, with which a check succeeds; empty = 200 to 399. Needs `path`");
    private static final Key<String> BODY = Key.text("body")
            .about("the text that the first 64 KiB of a response body must contain for a check to succeed. Needs "
                    + "`path`");
    private static final Key<GrpcHealthConfig> GRPC = Key.section("grpc", null, () -> GrpcHealthConfig.KEYS)
            .about("calls `grpc.health.v1.Health/Check` instead of sending a GET request; needs `protocol: h2`, or "
                    + "`auto` with TLS; see [gRPC](grpc.md#health)");

    /** The default: checks whether an endpoint accepts a connection. */
    public static final ActiveHealthConfig DEFAULT = read(Key.DEFAULTS);

    public ActiveHealthConfig {
        PATH.check(path);
        PORT.check(port);
        INTERVAL.check(interval);
        JITTER.check(jitter);
        TIMEOUT.check(timeout);
        RISE.check(rise);
        FALL.check(fall);
        STATUSES.check(statuses);
        statuses = Set.copyOf(statuses);
        HOST.check(host);
        Expect.that(
                grpc == null || path == null,
                "grpc",
                "set together with path",
                "either grpc, for a gRPC call, or path, for a GET request");
        Expect.that(
                path != null || (statuses.isEmpty() && body == null),
                "path",
                "none",
                "a path, because status or body is set");
        Expect.that(
                path != null || grpc != null || host == null, "path", "none", "a path or grpc, because host is set");
    }

    static ActiveHealthConfig read(Key.Values values) {
        return new ActiveHealthConfig(
                values.get(PATH),
                values.get(HOST),
                values.get(PORT),
                values.get(INTERVAL),
                values.get(JITTER),
                values.get(TIMEOUT),
                values.get(RISE),
                values.get(FALL),
                values.get(STATUSES),
                values.get(BODY),
                values.get(GRPC));
    }

    /** Creates checks without a gRPC call. */
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

    /** Returns these checks with a gRPC call instead of a path. */
    public ActiveHealthConfig calling(GrpcHealthConfig other) {
        return new ActiveHealthConfig(null, host, port, interval, jitter, timeout, rise, fall, Set.of(), null, other);
    }
}
