package dev.lychgate.server.recording;

import dev.lychgate.filter.Identity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One recorded exchange, redacted. Immutable.
 *
 * @param id the request id
 * @param time the time when the request arrived, in milliseconds since 1970; filters receive the same time
 * @param took the time from the arrival of the request to the last byte of the response, in microseconds
 * @param seed the seed of the random numbers that filters received
 * @param request the request before the first filter
 * @param origin the response of the origin before the first outbound filter; null if no response of the origin was
 *     accepted
 * @param calls the call-outs of filters, in the order in which they ended
 * @param steps the filter runs, in order
 * @param response the response to the client; null if there was none
 * @param error the error of the exchange; null if it had none
 * @param masked the names of header fields, parameters and JSON members whose values are masked
 */
public record Recording(
        String id,
        long time,
        long took,
        long seed,
        Place place,
        Request request,
        @Nullable Response origin,
        List<Call> calls,
        List<Step> steps,
        @Nullable Response response,
        @Nullable Fault error,
        List<String> masked) {
    public Recording {
        calls = List.copyOf(calls);
        steps = List.copyOf(steps);
        masked = List.copyOf(masked);
    }

    /**
     * The client and the sender of an exchange, and the generation, route and upstream that handled it.
     *
     * @param client the address of the client
     * @param secure whether the client used TLS
     * @param generation the number of the generation
     * @param filters a digest of the filters of the generation; empty if unknown
     * @param route the id of the route; null if none matched
     * @param upstream the upstream of the last attempt; null without an attempt
     * @param sender the verified identity of the sender; null if it is unknown
     * @param brownouts the upstreams that were in a brown-out when a filter read their state
     */
    public record Place(
            String listener,
            String client,
            boolean secure,
            long generation,
            String filters,
            @Nullable String route,
            @Nullable String upstream,
            @Nullable Identity sender,
            List<String> brownouts) {
        public Place {
            brownouts = List.copyOf(brownouts);
        }

        /** Creates a place with an unknown sender and without brown-outs. */
        public Place(
                String listener,
                String client,
                boolean secure,
                long generation,
                String filters,
                @Nullable String route,
                @Nullable String upstream) {
            this(listener, client, secure, generation, filters, route, upstream, null, List.of());
        }

        /** Returns whether the exchange comes from an HTTP archive. If so, it contains no results of filters. */
        public boolean isImported() {
            return generation == 0;
        }
    }

    /** The label, the side and the description of an error. */
    public record Fault(String kind, String side, String detail) {}

    /** A header field. */
    public record Field(String name, String value) {}

    /**
     * A whole body, or the beginning of one.
     *
     * @param size the length of the whole body in bytes, as transferred
     * @param bytes the recorded bytes
     * @param cut whether bytes are missing
     * @param omitted the reason why no bytes were recorded; null if bytes were recorded or the body is empty
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Body(
            long size, byte[] bytes, boolean cut, @Nullable String omitted) {
        public static final Body EMPTY = new Body(0, new byte[0], false, null);

        /** Returns whether the body is recorded from its first to its last byte. */
        public boolean isWhole() {
            return !cut && omitted == null;
        }
    }

    /** @param query the query without its question mark; null if the request has no query */
    public record Request(
            String method, String path, @Nullable String query, String host, List<Field> headers, Body body) {
        public Request {
            headers = List.copyOf(headers);
        }
    }

    public record Response(int status, List<Field> headers, Body body) {
        public Response {
            headers = List.copyOf(headers);
        }
    }

    /**
     * A call-out of a filter.
     *
     * @param upstream the name of the upstream, or the origin of a URL
     * @param response the response; null if the call-out failed
     * @param failure the label of the error; null if the call-out did not fail
     */
    public record Call(
            String upstream,
            Request request,
            @Nullable Response response,
            @Nullable String failure) {}

    /**
     * One run of a filter.
     *
     * @param at the start of the run, in microseconds after the arrival of the request
     * @param took the duration of the run, in microseconds
     * @param outcome {@code proceed}, {@code respond 403} or {@code fail} with the label of the error
     * @param changes the changed parts of the exchange, by name; names of pseudo fields begin with a colon
     */
    public record Step(String filter, String stage, long at, long took, String outcome, Map<String, Change> changes) {
        public Step {
            changes = Map.copyOf(changes);
        }

        /** Returns whether the filter has authenticated the request. A replay does not repeat authentications. */
        public boolean isAuthentication() {
            return stage.startsWith("authenticate-");
        }
    }

    /**
     * A change of one part of the exchange.
     *
     * @param from null if the part was missing before
     * @param to null if the part was removed
     */
    public record Change(@Nullable String from, @Nullable String to) {
        @Override
        public String toString() {
            return (from == null ? "none" : from) + " -> " + (to == null ? "none" : to);
        }
    }
}
