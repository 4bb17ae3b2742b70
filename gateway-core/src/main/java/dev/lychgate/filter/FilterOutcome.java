package dev.lychgate.filter;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.FieldSyntax;
import dev.lychgate.http.Json;
import dev.lychgate.http.SingletonFields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The decision that a filter returns for an exchange. */
public sealed interface FilterOutcome {
    /** Returns the outcome that lets the exchange continue with the filter's changes. */
    static FilterOutcome proceed() {
        return Proceed.PROCEED;
    }

    /**
     * Returns the outcome that ends the phase and sends a response to the client. If the request has not been forwarded
     * yet, the gateway does not forward it. If an outbound filter returns this outcome, the response replaces the
     * previous response. Outbound filters run for the response, unless an outbound filter returned it.
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
     * @throws IllegalArgumentException if the status is not one of these values
     */
    static Respond redirect(int status, String location) {
        if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) {
            throw new IllegalArgumentException(
                    "the status of a redirect is " + status + " (expected: 301, 302, 303, 307 or 308)");
        }
        return new Respond(status).header("location", location);
    }

    /**
     * Returns the outcome that fails the exchange with {@code error}: error filters run, and the client then receives
     * an error response.
     *
     * @throws IllegalArgumentException if errors of this kind have no response: {@code CLIENT_GONE},
     *     {@code CLIENT_STALLED}
     */
    static FilterOutcome fail(GatewayError error) {
        return new Fail(error);
    }

    /**
     * Returns the outcome that fails the exchange. The error response contains {@code detail}.
     *
     * @throws IllegalArgumentException if errors of this kind have no response: {@code CLIENT_GONE},
     *     {@code CLIENT_STALLED}
     */
    static FilterOutcome fail(ErrorKind kind, String detail) {
        return new Fail(GatewayError.local(kind, detail));
    }

    /** Lets the exchange continue. {@link FilterOutcome#proceed()} returns this outcome. */
    enum Proceed implements FilterOutcome {
        /** The only value. */
        PROCEED
    }

    /**
     * Fails the exchange. {@link FilterOutcome#fail} creates this outcome.
     *
     * @param error the failure of the exchange
     */
    record Fail(GatewayError error) implements FilterOutcome {
        /**
         * Creates the outcome.
         *
         * @throws IllegalArgumentException if errors of this kind have no response
         */
        public Fail {
            requireAnswered(error);
        }

        static GatewayError requireAnswered(GatewayError error) {
            Objects.requireNonNull(error, "the error of the failure is null");
            if (!error.kind().isAnswered()) {
                throw new IllegalArgumentException(
                        "a filter can't fail an exchange with " + error.kind() + ", which has no response");
            }
            return error;
        }
    }

    /**
     * A response that a filter creates. The filter completes the response with the methods of this class before it
     * returns the response.
     */
    final class Respond implements FilterOutcome {
        private static final byte[] NOTHING = {};

        private final int status;
        private final List<Map.Entry<String, String>> headers = new ArrayList<>(4);
        private byte[] body = NOTHING;

        private Respond(int status) {
            if (status < 200 || status > 599) {
                throw new IllegalArgumentException("the status of a response is " + status + " (expected: 200 to 599)");
            }
            this.status = status;
        }

        /**
         * Adds a header. A header that a message may have only once, such as Content-Type or Location, replaces the
         * previous header with this name.
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

        /**
         * Sets the body and its Content-Type.
         *
         * @throws IllegalArgumentException if the type is malformed
         */
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

        /**
         * Sets the body to an object in JSON, with Content-Type {@code application/json}.
         *
         * @param members texts, numbers, flags, null, maps, lists and arrays; other objects become texts
         * @throws IllegalArgumentException if a number is not finite, or if values are nested more than 64 levels deep
         */
        public Respond json(Map<String, ?> members) {
            return json(Json.write(Objects.requireNonNull(members, "the JSON of the response is null")));
        }

        /**
         * Sets the body to an array in JSON, with Content-Type {@code application/json}.
         *
         * @param elements texts, numbers, flags, null, maps, lists and arrays; other objects become texts
         * @throws IllegalArgumentException if a number is not finite, or if values are nested more than 64 levels deep
         */
        public Respond json(List<?> elements) {
            return json(Json.write(Objects.requireNonNull(elements, "the JSON of the response is null")));
        }

        private static String given(String text) {
            return Objects.requireNonNull(text, "the text of the response is null");
        }

        /** Returns the status, 200 to 599. */
        public int status() {
            return status;
        }

        /** Returns an immutable list of the headers in order, each with its name and value. */
        public List<Map.Entry<String, String>> headers() {
            return List.copyOf(headers);
        }

        /** Returns a copy of the body. */
        public byte[] body() {
            return body.clone();
        }
    }
}
