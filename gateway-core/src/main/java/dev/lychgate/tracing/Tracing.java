package dev.lychgate.tracing;

import dev.lychgate.config.Propagation;
import dev.lychgate.config.TracingConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Continues or starts the distributed traces of exchanges. Immutable; one instance serves all event loops. If tracing
 * is off, there is no instance, and trace headers are forwarded unchanged.
 */
public final class Tracing {
    /** Names of the trace context headers, in lower case. */
    public static final Set<String> FIELDS = Stream.concat(Traceparent.FIELDS.stream(), B3.FIELDS.stream())
            .map(AsciiString::toString)
            .collect(Collectors.toUnmodifiableSet());

    private final boolean acceptsAll;
    private final boolean w3c;
    private final boolean b3;
    private final boolean b3Multi;
    private final double share;
    /**
     * A trace is recorded if the lower half of its id, as an unsigned number, is less than this value. All systems that
     * apply this rule with the same rate make the same decision.
     */
    private final long below;

    public Tracing(TracingConfig config) {
        this.acceptsAll = config.accept() == TracingConfig.Accept.ALL;
        this.w3c = config.propagate().contains(Propagation.W3C);
        this.b3 = config.propagate().contains(Propagation.B3);
        this.b3Multi = config.propagate().contains(Propagation.B3_MULTI);
        this.share = config.sample().fraction();
        this.below = (long) (share * Long.MAX_VALUE);
    }

    /**
     * Continues the client's trace, or starts a new trace. Removes the trace headers from the request; {@link #write}
     * sets the trace headers for the origin.
     *
     * @param trusted whether the client is a trusted proxy
     * @param random generates ids
     */
    public TraceContext begin(HttpHeaders request, boolean trusted, SplittableRandom random) {
        Caller caller = acceptsAll || trusted ? caller(request) : null;
        Traceparent.strip(request);
        B3.strip(request);
        long span = id(random);
        if (caller == null) {
            return first(span, null, random);
        }
        Boolean sampled = caller.sampled();
        if (!caller.hasTrace()) {
            return first(span, sampled, random);
        }
        return new TraceContext(
                caller.high(),
                caller.low(),
                caller.span(),
                span,
                sampled == null ? chooses(caller.low()) : sampled,
                caller.state());
    }

    private static @Nullable Caller caller(HttpHeaders request) {
        Caller w3c = Traceparent.read(request);
        return w3c == null ? B3.read(request) : w3c;
    }

    private TraceContext first(long span, @Nullable Boolean sampled, SplittableRandom random) {
        long low = id(random);
        return new TraceContext(random.nextLong(), low, 0, span, sampled == null ? chooses(low) : sampled, "");
    }

    private boolean chooses(long low) {
        return share >= 1 || (low & Long.MAX_VALUE) < below;
    }

    /** Generates a span id. */
    public static long id(SplittableRandom random) {
        long id = random.nextLong();
        return id == 0 ? 1 : id;
    }

    /**
     * Sets the trace headers for an origin.
     *
     * @param span the span of the attempt
     */
    public void write(TraceContext trace, long span, HttpHeaders request) {
        if (w3c) {
            Traceparent.write(trace, span, request);
        }
        if (b3) {
            B3.writeOne(trace, span, request);
        }
        if (b3Multi) {
            B3.writeSeveral(trace, span, request);
        }
    }
}
