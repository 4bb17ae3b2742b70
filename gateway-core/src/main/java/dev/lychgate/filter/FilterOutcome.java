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

/** The decision of a filter about an exchange. */
public sealed interface FilterOutcome {
    /** Returns the outcome that lets the exchange continue with the filter's changes. */
    static FilterOutcome proceed() {
        return Proceed.PROCEED;
    }

    /**
     * Returns a response that is sent instead of a request to an origin. If an outbound filter returns it, it replaces
     * the previous response. The phase ends. Outbound filters run for the response, unless an outbound filter returned
     * it.
     *
     * @param status 200 to 599
     * @throws IllegalArgumentException if the status is out of range
     */
    static Respond respond(int status) {
        return new Respond(status);
    }

    /**
     * Returns a redirect.
     *
     * @param status 301, 302, 303, 307 or 308
     * @throws IllegalArgumentException if the status is another one
     */
    static Respond redirect(int status, String location) {
        if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) {
            throw new IllegalArgumentException("a redirect with status " + status);
        }
        return new Respond(status).header("location", location);
    }

    /**
     * Fails the exchange with {@code error}: error filters run, and the client receives its error response.
     *
     * @throws IllegalArgumentException if the error has no response: {@code CLIENT_GONE}, {@code CLIENT_STALLED}
     */
    static FilterOutcome fail(GatewayError error) {
        return new Fail(error);
    }

    /**
     * Fails the exchange. The error response contains {@code detail}.
     *
     * @throws IllegalArgumentException if the error has no response: {@code CLIENT_GONE}, {@code CLIENT_STALLED}
     */
    static FilterOutcome fail(ErrorKind kind, String detail) {
        return new Fail(GatewayError.local(kind, detail));
    }

    /** Use {@link FilterOutcome#proceed()}. */
    enum Proceed implements FilterOutcome {
        /** The only value. */
        PROCEED
    }

    /** Use {@link FilterOutcome#fail}. @param error the failure of the exchange */
    record Fail(GatewayError error) implements FilterOutcome {
        /** @throws IllegalArgumentException if the error has no response */
        public Fail {
            requireAnswered(error);
        }

        static GatewayError requireAnswered(GatewayError error) {
            Objects.requireNonNull(error, "a failure without an error");
            if (!error.kind().isAnswered()) {
                throw new IllegalArgumentException(
                        "a failure of kind " + error.kind() + ", which is for the log and not for responses");
            }
            return error;
        }
    }

    /** A response. Its methods complete it before the filter returns it. */
    final class Respond implements FilterOutcome {
        private static final byte[] NOTHING = {};

        private final int status;
        private final List<Map.Entry<String, String>> headers = new ArrayList<>(4);
        private byte[] body = NOTHING;

        private Respond(int status) {
            if (status < 200 || status > 599) {
                throw new IllegalArgumentException("a response with status " + status + " (expected: 200 to 599)");
            }
            this.status = status;
        }

        /**
         * Adds a header. A header that a message may have only once, such as Content-Type or Location, replaces the previous one.
         *
         * @throws IllegalArgumentException if name or value is malformed, or the gateway itself writes the header
         */
        public Respond header(String name, String value) {
            Map.Entry<String, String> field = Map.entry(name, FieldSyntax.settable(name, value));
            if (SingletonFields.contains(name)) {
                headers.removeIf(other -> other.getKey().equalsIgnoreCase(name));
            }
            headers.add(field);
            return this;
        }

        /** Sets the body and its Content-Type. @throws IllegalArgumentException if the type is malformed */
        public Respond body(byte[] bytes, String type) {
            // Checked first, so that an exception leaves the response unchanged.
            Objects.requireNonNull(bytes, "the body of the response is null");
            header("content-type", type);
            this.body = bytes;
            return this;
        }

        /** Sets the body in UTF-8, with Content-Type {@code text/plain}. */
        public Respond text(String text) {
            return body(given(text).getBytes(StandardCharsets.UTF_8), "text/plain; charset=utf-8");
        }

        /** Sets the body in UTF-8, with Content-Type {@code text/html}. */
        public Respond html(String html) {
            return body(given(html).getBytes(StandardCharsets.UTF_8), "text/html; charset=utf-8");
        }

        /** Sets the body in UTF-8, with Content-Type {@code application/json}. */
        public Respond json(String json) {
            return body(given(json).getBytes(StandardCharsets.UTF_8), "application/json");
        }

        private static String given(String text) {
            return Objects.requireNonNull(text, "the text of the response is null");
        }

        /** Returns the status, 200 to 599. */
        public int status() {
            return status;
        }

        /** Returns the headers by name and value, in order; immutable. */
        public List<Map.Entry<String, String>> headers() {
            return List.copyOf(headers);
        }

        /** Returns a copy of the body. */
        public byte[] body() {
            return body.clone();
        }
    }
}
