package dev.lychgate.server.admin;

import dev.lychgate.filters.libraries.Sha256;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /dashboard} and its files: a page that shows the other pages in a browser. The files need no credentials: they
 * contain no data of this gateway, and the page itself asks the user for the token. Only the paths in a list are
 * served, so no part of a request becomes part of a file name.
 */
final class Dashboard {
    static final String PATH = "/dashboard";

    /** All files below {@link #PATH}; the page itself is not among them. */
    static final List<String> FILES = List.of(
            "api.js",
            "app.js",
            "format.js",
            "icon.svg",
            "ladder.js",
            "lib/lit-html.js",
            "marks.js",
            "operator.js",
            "parts.js",
            "place.js",
            "poll.js",
            "problems.js",
            "question.js",
            "rates.js",
            "rehearsal.js",
            "sides.js",
            "sorting.js",
            "style.css",
            "views/breakers.js",
            "views/changes.js",
            "views/exchanges.js",
            "views/explain.js",
            "views/faults.js",
            "views/filters.js",
            "views/fleet.js",
            "views/generations.js",
            "views/limits.js",
            "views/mirrors.js",
            "views/overview.js",
            "views/rollout.js",
            "views/topology.js",
            "views/traffic.js",
            "waterfall.js");

    /**
     * The content security policy. It allows scripts and styles that come from this listener, requests to this
     * listener, and no inline code.
     */
    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String PAGE = "index.html";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");
    private static final byte[] NOTHING = {};

    private final Map<String, AdminResponse> answers = new HashMap<>();

    /** Reads all files. */
    Dashboard() {
        answers.put(PATH, answer(PAGE));
        // The links of the page are relative to its path.
        answers.put(
                PATH + "/",
                new AdminResponse(HttpResponseStatus.PERMANENT_REDIRECT, "text/plain", NOTHING)
                        .with(Map.of("location", "../dashboard")));
        for (String file : FILES) {
            answers.put(PATH + "/" + file, answer(file));
        }
    }

    AdminResponse page() {
        return answers.getOrDefault(PATH, AdminResponse.notFound("unknown page"));
    }

    /**
     * Returns the response for a file; null if no file has this path. The status is 304 if the browser's
     * copy is current.
     */
    @Nullable
    AdminResponse find(String path, HttpHeaders asked) {
        AdminResponse answer = answers.get(path);
        if (answer == null) {
            return null;
        }
        String tag = answer.further().get("etag");
        return tag != null && tag.equals(asked.get(HttpHeaderNames.IF_NONE_MATCH))
                ? new AdminResponse(HttpResponseStatus.NOT_MODIFIED, answer.contentType(), NOTHING, answer.further())
                : answer;
    }

    private static AdminResponse answer(String file) {
        byte[] content = read(file);
        String type = TYPES.get(file.substring(file.lastIndexOf('.') + 1));
        return new AdminResponse(HttpResponseStatus.OK, String.valueOf(type), content)
                .with(Map.of(
                        "etag",
                        "\"" + HexFormat.of().formatHex(Sha256.start().digest(content), 0, 12) + "\"",
                        // Browsers may cache a file but must validate it each time, because the next version of the
                        // gateway uses the same paths.
                        "cache-control",
                        "no-cache",
                        "content-security-policy",
                        POLICY));
    }

    private static byte[] read(String file) {
        try (InputStream content = Dashboard.class.getResourceAsStream("/dashboard/" + file)) {
            if (content == null) {
                throw new IllegalStateException("dashboard/" + file + " is missing from the jar");
            }
            return content.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
