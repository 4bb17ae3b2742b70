package dev.lychgate.filter;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.SingletonFields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a filter decides. */
public sealed interface FilterOutcome {
    /** The exchange goes on, as the filter left it. */
    static FilterOutcome proceed() {
        return Proceed.PROCEED;
    }

    /**
     * Answers the request, and no origin is asked; from an outbound filter, takes the place of the answer there was. The
     * phase ends. Outbound filters see the answer, unless it is one of them that has given it.
     *
     * @param status 200 to 599
     */
    static Respond respond(int status) {
        return new Respond(status);
    }

    /** Sends the client elsewhere. @param status 301, 302, 303, 307 or 308 */
    static Respond redirect(int status, String location) {
        if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) {
            throw new IllegalArgumentException("a redirect with status " + status);
        }
        return new Respond(status).header("location", location);
    }

    /**
     * Fails the exchange as {@code error} says: error filters see it, and it is answered as such.
     *
     * @throws IllegalArgumentException if it is of a kind that is only logged: {@code CLIENT_GONE}, {@code CLIENT_STALLED}
     */
    static FilterOutcome fail(GatewayError error) {
        return new Fail(error);
    }

    /**
     * Fails the exchange; {@code detail} is told to the client.
     *
     * @throws IllegalArgumentException if {@code kind} is one that is only logged: {@code CLIENT_GONE}, {@code CLIENT_STALLED}
     */
    static FilterOutcome fail(ErrorKind kind, String detail) {
        return new Fail(GatewayError.local(kind, detail));
    }

    /** Use {@link FilterOutcome#proceed()}. */
    enum Proceed implements FilterOutcome {
        PROCEED
    }

    /** Use {@link FilterOutcome#fail}. @param error why */
    record Fail(GatewayError error) implements FilterOutcome {
        public Fail {
            requireAnswered(error);
        }

        static GatewayError requireAnswered(GatewayError error) {
            Objects.requireNonNull(error, "a failure without an error");
            if (!error.kind().isAnswered()) {
                throw new IllegalArgumentException(
                        "a failure of kind " + error.kind() + ", which is for the log and for no answer");
            }
            return error;
        }
    }

    /** An answer, put together by its methods before the filter returns it. */
    final class Respond implements FilterOutcome {
        private static final byte[] NOTHING = {};

        private final int status;
        private final List<Map.Entry<String, String>> headers = new ArrayList<>(4);
        private byte[] body = NOTHING;

        private Respond(int status) {
            if (status < 200 || status > 599) {
                throw new IllegalArgumentException("an answer with status " + status + " (expected: 200 to 599)");
            }
            this.status = status;
        }

        /**
         * Adds a field. One of a name that a message has only once, such as Content-Type or Location, replaces the one
         * before it.
         *
         * @throws IllegalArgumentException if it can't be sent
         */
        public Respond header(String name, String value) {
            Map.Entry<String, String> field = Map.entry(name, FieldSyntax.settable(name, value));
            if (SingletonFields.contains(name)) {
                headers.removeIf(other -> other.getKey().equalsIgnoreCase(name));
            }
            headers.add(field);
            return this;
        }

        /** The body, and its type, which is sent as Content-Type. */
        public Respond body(byte[] bytes, String type) {
            // Checked first: what throws here has changed nothing.
            Objects.requireNonNull(bytes, "an answer's body is null");
            header("content-type", type);
            this.body = bytes;
            return this;
        }

        /** The body as UTF-8, of type {@code text/plain}. */
        public Respond text(String text) {
            return body(given(text).getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8");
        }

        /** The body as UTF-8, of type {@code text/html}. */
        public Respond html(String html) {
            return body(given(html).getBytes(StandardCharsets.UTF_8), "text/html; charset=utf-8");
        }

        /** The body as UTF-8, of type {@code application/json}. */
        public Respond json(String json) {
            return body(given(json).getBytes(StandardCharsets.UTF_8), "application/json");
        }

        private static String given(String text) {
            return Objects.requireNonNull(text, "an answer's text is null");
        }

        public int status() {
            return status;
        }

        public List<Map.Entry<String, String>> headers() {
            return List.copyOf(headers);
        }

        public byte[] body() {
            return body.clone();
        }
    }
}
