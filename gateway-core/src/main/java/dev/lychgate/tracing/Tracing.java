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
 * How exchanges take part in traces. Immutable, for all event loops; there is none where tracing is off, and then what
 * clients say of traces passes untouched.
 */
public final class Tracing {
    /** The names of the trace context fields, in lower case. */
    public static final Set<String> FIELDS = Stream.concat(Traceparent.FIELDS.stream(), B3.FIELDS.stream())
            .map(AsciiString::toString)
            .collect(Collectors.toUnmodifiableSet());

    private final boolean acceptsAll;
    private final boolean w3c;
    private final boolean b3;
    private final boolean b3Multi;
    private final double share;
    /** Trace ids whose lower half is below this, sign aside, are recorded: every system that goes by it decides alike. */
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
     * What an exchange is in a trace, its client's or one that begins with it. Takes the fields of traces off the request:
     * {@link #write} puts on what an origin is to know.
     *
     * @param trusted whether the client's word on forwarding is believed
     * @param random makes ids
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

    /** The id of another span. */
    public static long id(SplittableRandom random) {
        long id = random.nextLong();
        return id == 0 ? 1 : id;
    }

    /** Tells an origin of the trace. @param span the span of the attempt that it is asked by */
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
