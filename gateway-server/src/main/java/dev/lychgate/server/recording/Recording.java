package dev.lychgate.server.recording;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One recorded exchange, redacted. Immutable.
 *
 * @param id the request id
 * @param time arrival of the request, in milliseconds since 1970: the time that filters receive
 * @param took time until the last byte of the response, in microseconds
 * @param seed the seed of the random numbers that filters received
 * @param request the request before the first filter
 * @param origin the response of the origin before the first outbound filter; null without an accepted response
 * @param calls call-outs of filters, in the order of their ends
 * @param steps runs of filters, in order
 * @param response the response to the client; null if there was none
 * @param error the error of the exchange; null without one
 * @param masked names of header fields, parameters and members with masked values
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
     * The part of the gateway that handled an exchange.
     *
     * @param client the address of the client
     * @param secure whether the client used TLS
     * @param generation the number of the generation
     * @param filters the names of the filters of the generation, as a digest; empty if it is unknown
     * @param route the id of the route; null if none matched
     * @param upstream the upstream of the last attempt; null without an attempt
     */
    public record Place(
            String listener,
            String client,
            boolean secure,
            long generation,
            String filters,
            @Nullable String route,
            @Nullable String upstream) {
        /** Returns whether the exchange comes from an archive, and has no outcome of filters. */
        public boolean isImported() {
            return generation == 0;
        }
    }

    /** The label, the side and the description of an error. */
    public record Fault(String kind, String side, String detail) {}

    /** A header field. */
    public record Field(String name, String value) {}

    /**
     * A body, or its beginning.
     *
     * @param size the length of the whole body in bytes, as transferred
     * @param bytes the recorded bytes
     * @param cut whether bytes are missing
     * @param omitted the reason why no bytes were recorded; null if they were
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

    /** @param query the query without its question mark; null if there is none */
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
     * @param response null if the call-out failed
     * @param failure the label of its error; null if it did not fail
     */
    public record Call(
            String upstream,
            Request request,
            @Nullable Response response,
            @Nullable String failure) {}

    /**
     * One run of a filter.
     *
     * @param at start, in microseconds after the arrival of the request
     * @param took duration in microseconds
     * @param outcome {@code proceed}, {@code respond 403} or {@code fail} with the label of the error
     * @param changes the changed parts of the exchange, by name; names of pseudo fields begin with a colon
     */
    public record Step(String filter, String stage, long at, long took, String outcome, Map<String, Change> changes) {
        public Step {
            changes = Map.copyOf(changes);
        }
    }

    /** A change of one part. @param from null if the part was missing @param to null if it was removed */
    public record Change(@Nullable String from, @Nullable String to) {
        @Override
        public String toString() {
            return (from == null ? "none" : from) + " -> " + (to == null ? "none" : to);
        }
    }
}
