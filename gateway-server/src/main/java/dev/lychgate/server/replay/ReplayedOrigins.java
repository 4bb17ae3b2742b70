package dev.lychgate.server.replay;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.error.Side;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.filters.testing.OriginResponse;
import dev.lychgate.filters.testing.SentRequest;
import dev.lychgate.filters.testing.SimulatedOrigins;
import dev.lychgate.generation.ProxyTarget;
import dev.lychgate.server.recording.Recording;
import dev.lychgate.server.recording.Recording.Body;
import dev.lychgate.server.recording.Recording.Call;
import dev.lychgate.server.recording.Recording.Field;
import dev.lychgate.server.recording.Recording.Response;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulates origins that send recorded responses. The request of the exchange gets the recorded response, regardless of
 * the upstream to which it is sent. A call-out gets the response of the most similar recorded call-out, and each
 * recorded call-out is used at most one time.
 */
final class ReplayedOrigins implements SimulatedOrigins {
    /** The criteria of similarity, from the strictest to the weakest. */
    private static final List<BiPredicate<Call, Asked>> LIKENESS = List.of(
            (call, asked) -> isTo(call, asked)
                    && isSame(call, asked)
                    && Objects.equals(call.request().query(), asked.request().getQuery()),
            (call, asked) -> isTo(call, asked) && isSame(call, asked),
            ReplayedOrigins::isSame,
            ReplayedOrigins::isTo);

    private record Asked(String upstream, SentRequest request) {}

    private final Recording recording;
    private final List<Call> calls;
    private final List<String> notes = new ArrayList<>();
    private @Nullable Exchange exchange;

    ReplayedOrigins(Recording recording) {
        this.recording = recording;
        this.calls = new ArrayList<>(recording.calls());
    }

    /** Sets the exchange for which this object simulates origins. The exchange has just begun. */
    void of(Exchange begun) {
        exchange = begun;
    }

    /** Returns remarks on responses that are missing in the recording, one line each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    @Override
    public @Nullable GatewayError refusal(String upstream) {
        if (isRequest(upstream)) {
            return failure();
        }
        Call next = calls.stream()
                .filter(call -> call.upstream().equals(upstream))
                .findFirst()
                .orElse(null);
        if (next == null || next.failure() == null) {
            return null;
        }
        calls.remove(next);
        return error(next.failure(), "the recorded call-out failed");
    }

    /** Returns the recorded failure of the origin; null if the origin responded. */
    private @Nullable GatewayError failure() {
        Recording.Fault error = recording.error();
        if (error == null || recording.origin() != null || !error.side().equals(Side.UPSTREAM.label())) {
            return null;
        }
        return error(error.kind(), error.detail());
    }

    private static GatewayError error(String label, String detail) {
        for (ErrorKind kind : ErrorKind.values()) {
            if (kind.label().equals(label)) {
                return GatewayError.upstream(kind, Retry.NEVER, detail);
            }
        }
        return GatewayError.upstream(ErrorKind.CONNECT_REFUSED, Retry.NEVER, detail);
    }

    /** Returns whether a connection is for the request of the exchange, and not for a call-out. */
    private boolean isRequest(String upstream) {
        Exchange begun = exchange;
        if (begun == null || begun.record().responseHead() != null) {
            return false;
        }
        ProxyTarget target = begun.target();
        return target != null && target.upstream().name().equals(upstream);
    }

    @Override
    public OriginResponse answer(String upstream, SentRequest request) {
        if (isRequest(upstream)) {
            Response origin = recording.origin();
            if (origin != null) {
                return answer(origin);
            }
            notes.add("no response of the origin is recorded; the replay uses status 502");
            return OriginResponse.of(502);
        }
        Asked asked = new Asked(upstream, request);
        for (BiPredicate<Call, Asked> likeness : LIKENESS) {
            for (Call call : calls) {
                if (likeness.test(call, asked)) {
                    calls.remove(call);
                    Response response = call.response();
                    return response == null ? OriginResponse.hangUp() : answer(response);
                }
            }
        }
        notes.add("call-out " + request + " to " + upstream + " is not recorded, so it fails in the replay");
        return OriginResponse.hangUp();
    }

    private static boolean isTo(Call call, Asked asked) {
        return call.upstream().equals(asked.upstream());
    }

    private static boolean isSame(Call call, Asked asked) {
        return call.request().method().equals(asked.request().getMethod())
                && call.request().path().equals(asked.request().getPath());
    }

    private static OriginResponse answer(Response recorded) {
        if (recorded.status() < 200) {
            return OriginResponse.of(502);
        }
        OriginResponse answer = OriginResponse.of(recorded.status());
        boolean gzip = false;
        for (Field field : recorded.headers()) {
            String name = field.name().toLowerCase(Locale.ROOT);
            if (isPlain(field)
                    && !HttpHeaderNames.CONTENT_LENGTH.contentEquals(name)
                    && !HttpHeaderNames.TRANSFER_ENCODING.contentEquals(name)) {
                answer.header(field.name(), field.value());
                gzip |= HttpHeaderNames.CONTENT_ENCODING.contentEquals(name)
                        && field.value().toLowerCase(Locale.ROOT).contains("gzip");
            }
        }
        Body body = recorded.body();
        return answer.body(gzip && body.bytes().length > 0 ? gzip(body.bytes()) : body.bytes());
    }

    /**
     * Returns whether a header field is safe. Recordings are untrusted input, and a line break in a field could begin a
     * second response.
     */
    private static boolean isPlain(Field field) {
        return field.name().matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
                && field.value().chars().noneMatch(c -> c == '\r' || c == '\n' || c == 0 || c > 255);
    }

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
