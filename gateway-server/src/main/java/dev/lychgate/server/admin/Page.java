package dev.lychgate.server.admin;

import static io.netty.handler.codec.http.HttpResponseStatus.SERVICE_UNAVAILABLE;

import dev.lychgate.server.json.Json;
import dev.lychgate.server.json.JsonType;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * What a route is answered with.
 *
 * @param about a sentence
 * @param content the types of a 200, by media type
 * @param failures the problems it may be answered with, besides those of all routes
 * @param answering makes the answer
 */
record Page(String about, Map<String, JsonType<?>> content, List<HttpResponseStatus> failures, Answering answering) {
    /** Makes an answer; completes at once or later, on any thread. Called on the admin listener's thread. */
    interface Answering {
        CompletableFuture<AdminAnswer> answer(Parameters given) throws Rejection;
    }

    /** Returns what is written as JSON. */
    interface Model<M> {
        M of(Parameters given) throws Rejection;
    }

    /** Returns a page that is made at once. */
    static <M> Page of(JsonType<M> type, Model<M> model) {
        return json(type, given -> AdminAnswer.now(AdminAnswer.json(type, model.of(given))))
                .failing(SERVICE_UNAVAILABLE);
    }

    /** Returns a page whose model completes later. @param thread writes it */
    static <M> Page later(JsonType<M> type, Executor thread, Model<CompletableFuture<M>> model) {
        return json(type, given -> model.of(given).thenApplyAsync(made -> AdminAnswer.json(type, made), thread))
                .failing(SERVICE_UNAVAILABLE);
    }

    /** Returns a page that is made on a thread of {@code slow}. */
    static <M> Page slow(JsonType<M> type, SlowPages slow, Model<M> model) {
        return json(type, given -> slow.make(() -> AdminAnswer.json(type, model.of(given))))
                .failing(SERVICE_UNAVAILABLE);
    }

    /** Returns a page whose answer is JSON of that type. */
    static Page json(JsonType<?> type, Answering answering) {
        return new Page(type.about(), Map.of(AdminAnswer.JSON, type), List.of(), answering);
    }

    /** Returns a page of text that is not JSON. */
    static Page text(Answering answering, String... mediaTypes) {
        Map<String, JsonType<?>> content = new LinkedHashMap<>();
        Stream.of(mediaTypes).forEach(type -> content.put(type, Json.TEXT));
        return new Page("", content, List.of(), answering);
    }

    /** Returns this page with further failures. */
    Page failing(HttpResponseStatus... further) {
        List<HttpResponseStatus> all =
                Stream.concat(failures.stream(), Stream.of(further)).toList();
        return new Page(about, content, all, answering);
    }
}
