package dev.lychgate.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mirroring of a route: another upstream receives copies of requests. The responses to copies are discarded or
 * compared; clients never receive them.
 *
 * @param upstream the name of the upstream that receives the copies
 * @param share the share of the requests that are copied
 * @param methods the methods of the copied requests
 * @param body the maximum length of a request body that is copied
 * @param concurrent the maximum number of concurrent copies on all event loops together
 * @param timeout the maximum time from the start of a copy to the end of its response
 * @param compare the comparison of the responses to copies with the responses that clients receive; null = the
 *     responses to copies are discarded
 */
public record MirrorConfig(
        String upstream,
        SampleRate share,
        List<String> methods,
        ByteSize body,
        int concurrent,
        Duration timeout,
        @Nullable CompareConfig compare) {
    private static final Key<String> UPSTREAM = Key.typed("upstream", Form.TEXT, "none")
            .required("the name of an upstream")
            .about("the name of the upstream that receives the copies; must differ from the upstream of the route");
    private static final Key<SampleRate> SHARE = Key.typed("share", Form.RATE, SampleRate.ALL)
            .about("the share of the requests that are copied, chosen at random");
    private static final Key<List<String>> METHODS = Key.typed(
                    "methods",
                    Form.list(Form.TEXT.matching("[A-Z][A-Z0-9-]{0,30}", "a method in capitals, such as GET")),
                    List.of("GET", "HEAD"))
            .atLeast(1)
            .about("the methods of the copied requests; by default only methods without effects: the copy of any other "
                    + "request takes effect a second time if both upstreams use the same data");
    private static final Key<ByteSize> BODY = Key.size("body", "64KiB")
            .atMost("16MiB")
            .about("the maximum length of a request body that is copied; a request with a longer body is not copied");
    private static final Key<Integer> CONCURRENT = Key.number("concurrent", 128)
            .between(1, 65_536)
            .about("the maximum number of concurrent copies; each event loop may send an equal part of this number, "
                    + "rounded up");
    private static final Key<Duration> TIMEOUT = Key.duration("timeout", "10s")
            .atLeast("1ms")
            .about("the maximum time until the response to a copy is complete; the timeouts of the upstream also "
                    + "apply");
    private static final Key<CompareConfig> COMPARE = Key.section("compare", null, () -> CompareConfig.KEYS)
            .absent("the responses to copies are discarded")
            .about("the comparison of the responses to copies with the responses of the route's origins; see "
                    + "[mirroring](mirroring.md#comparing-responses)");

    static final Keys<MirrorConfig> KEYS =
            Keys.of(MirrorConfig::new, UPSTREAM, SHARE, METHODS, BODY, CONCURRENT, TIMEOUT, COMPARE);

    public MirrorConfig {
        KEYS.check(upstream, share, methods, body, concurrent, timeout, compare);
        methods = Expect.copy(methods);
    }

    static MirrorConfig read(Key.Values values) {
        String upstream = values.get(UPSTREAM);
        // A missing or malformed name has already been reported.
        if (!upstream.equals(UPSTREAM.otherwise())) {
            values.refersTo(upstream, Map.of());
        }
        return KEYS.read(values);
    }

    /** Creates a mirror that copies all GET and HEAD requests and discards the responses. */
    public static MirrorConfig to(String upstream) {
        return new MirrorConfig(
                upstream,
                SHARE.otherwise(),
                METHODS.otherwise(),
                BODY.otherwise(),
                CONCURRENT.otherwise(),
                TIMEOUT.otherwise(),
                null);
    }

    /** Returns these settings with other methods. */
    public MirrorConfig withMethods(String... others) {
        return new MirrorConfig(upstream, share, List.of(others), body, concurrent, timeout, compare);
    }

    /** Returns these settings with another maximum length of copied request bodies. */
    public MirrorConfig withBody(ByteSize other) {
        return new MirrorConfig(upstream, share, methods, other, concurrent, timeout, compare);
    }

    /** Returns these settings with another share. */
    public MirrorConfig withShare(SampleRate other) {
        return new MirrorConfig(upstream, other, methods, body, concurrent, timeout, compare);
    }

    /** Returns these settings with another limit of concurrent copies. */
    public MirrorConfig withConcurrent(int other) {
        return new MirrorConfig(upstream, share, methods, body, other, timeout, compare);
    }

    /** Returns these settings with another timeout. */
    public MirrorConfig withTimeout(Duration other) {
        return new MirrorConfig(upstream, share, methods, body, concurrent, other, compare);
    }

    /** Returns these settings with a comparison. */
    public MirrorConfig withCompare(@Nullable CompareConfig other) {
        return new MirrorConfig(upstream, share, methods, body, concurrent, timeout, other);
    }
}
