package dev.lychgate.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a fault. A fault has at least one effect. Each component is a separate key in the section of the
 * fault.
 *
 * @param delay the time by which a request is delayed; null = no delay
 * @param abort the status of the response that the gateway sends instead of forwarding the request; null = the request
 *     is forwarded
 * @param grpcStatus the status that gRPC calls receive; null = the gRPC status that corresponds to {@code abort}
 * @param reset whether the client's connection or stream is reset
 * @param bandwidth the maximum number of bytes of the response body per second; null = no limit
 */
public record FaultEffects(
        @Nullable DelayRange delay,
        @Nullable Integer abort,
        @Nullable Integer grpcStatus,
        boolean reset,
        @Nullable ByteSize bandwidth) {
    private static final Key<DelayRange> DELAY = Key.typed("delay", DelayRange.FORM, null)
            .absent("no delay")
            .about("the time that a request waits before it is forwarded: fixed, or at random within a range");
    private static final Key<Integer> ABORT = Key.typed("abort", Form.NUMBER, null)
            .between(400, 599)
            .absent("the request is forwarded")
            .about("the status of the response that the gateway sends instead of forwarding the request");
    private static final Key<Integer> GRPC_STATUS = Key.typed("grpc-status", Form.NUMBER, null)
            .between(1, 16)
            .absent("by the status")
            .about("the gRPC status that `abort` sends to gRPC clients");
    private static final Key<Boolean> RESET = Key.flag("reset", false)
            .about("resets the connection of an HTTP/1 client, or the stream of an HTTP/2 client, instead of sending a "
                    + "response; the request is not forwarded");
    private static final Key<ByteSize> BANDWIDTH = Key.typed("bandwidth", Form.SIZE, null)
            .atLeast(1)
            .absent("no limit")
            .about("the maximum number of bytes of the response body per second; the gateway reads from the origin at "
                    + "the same speed");

    static final Keys<FaultEffects> KEYS = Keys.of(FaultEffects::new, DELAY, ABORT, GRPC_STATUS, RESET, BANDWIDTH);

    public FaultEffects {
        KEYS.check(delay, abort, grpcStatus, reset, bandwidth);
        boolean any = delay != null || abort != null || reset || bandwidth != null;
        Expect.that(any, "abort", "missing", "at least one of delay, abort, reset and bandwidth");
        Expect.that(abort == null || !reset, "reset", true, "either abort or reset");
        Expect.that(
                grpcStatus == null || abort != null,
                "grpc-status",
                String.valueOf(grpcStatus),
                "only together with abort");
        boolean ends = abort != null || reset;
        Expect.that(
                bandwidth == null || !ends,
                "bandwidth",
                String.valueOf(bandwidth),
                "no bandwidth together with abort or reset");
    }

    /** Returns the effects in words, such as {@code delay 200ms, abort 503}. */
    @Override
    public String toString() {
        List<String> all = new ArrayList<>();
        if (delay != null) {
            all.add("delay " + delay);
        }
        if (abort != null) {
            all.add("abort " + abort);
        }
        if (grpcStatus != null) {
            all.add("grpc-status " + grpcStatus);
        }
        if (reset) {
            all.add("reset");
        }
        if (bandwidth != null) {
            all.add("bandwidth " + bandwidth);
        }
        return String.join(", ", all);
    }
}
