package dev.lychgate.config;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How endpoints are asked whether they are well.
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
    private static final Key<String> PATH = Key.text("path")
            .matching("/[!\"$-~]*", "a path of visible ASCII, such as /health")
            .about("what a GET asks for; without it, and without `grpc`, it is enough that a connection is accepted");

    private static final Key<String> HOST = Key.text("host")
            .matching(Form.HOST_FIELD)
            .about("the Host field, or `:authority`; otherwise the endpoint's own. Needs a path or `grpc`");
    private static final Key<Integer> PORT =
            Key.number("port", 0).between(0, 65535).about("where to ask; `0` = the endpoint's own");
    private static final Key<Duration> INTERVAL = Key.duration("interval", "5s")
            .atLeast("100ms")
            .about("from the beginning of one check to that of the next, which waits for the end of the first");
    private static final Key<Percent> JITTER = Key.percent("jitter", "10%")
            .atMost("100%")
            .about("by how much of the interval each check comes earlier, at most");
    private static final Key<Duration> TIMEOUT =
            Key.duration("timeout", "2s").atLeast("10ms").about("longest time for a check");
    private static final Key<Integer> RISE = Key.number("rise", 2)
            .between(1, 1000)
            .about("how many good checks in a row make an unhealthy endpoint healthy");
    private static final Key<Integer> FALL = Key.number("fall", 3)
            .between(1, 1000)
            .about("how many bad checks in a row make a healthy endpoint unhealthy; the first check of all "
                    + "decides at once");
    private static final Key<Set<Integer>> STATUSES = Key.typed(
                    "status", Form.set(Form.NUMBER.within(new Form.Range(200, 599, false))), Set.of())
            .called("list")
            .absent("-")
            .about("what a good answer may have, 200 to 599; empty = 200 to 399. Needs a path");
    private static final Key<String> BODY =
            Key.text("body").about("what the first 64 KiB of a good answer contain. Needs a path");
    private static final Key<GrpcHealthConfig> GRPC = Key.section("grpc", null, () -> GrpcHealthConfig.KEYS)
            .about("calls `grpc.health.v1.Health/Check` in place of a GET; needs `protocol: h2`, or `auto` with "
                    + "TLS; see [gRPC](grpc.md#health)");

    /** Whether a connection is accepted. */
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

    /** Reads a section. */
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
