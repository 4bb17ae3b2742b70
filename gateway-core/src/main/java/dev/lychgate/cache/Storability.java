package dev.lychgate.cache;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decision whether a response may be stored by a cache that all clients share.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9111#section-3">RFC 9111, 3 Storing Responses in Caches</a>
 */
enum Storability {
    /** The response may be stored. */
    STORED("stored"),
    /** The response contains {@code no-store}. */
    NO_STORE("no-store"),
    /** The request contains {@code no-store}. */
    NO_STORE_OF_CLIENT("request-no-store"),
    /** Only responses to GET requests are stored. */
    METHOD("method"),
    /** The response contains {@code private}, which means that it is for one client. */
    PRIVATE("private"),
    /** The request contains credentials, and the response does not permit sharing. */
    CREDENTIALS("credentials"),
    /** The response sets a cookie. */
    SET_COOKIE("set-cookie"),
    /**
     * The field {@code Vary} of the response contains {@code *}, or the name of a field that the gateway sets for each
     * request.
     */
    VARY("vary"),
    /**
     * The status describes a partial or interim response, is not one of the configured statuses, or is unknown to this
     * cache although the response contains {@code must-understand}.
     */
    STATUS("status"),
    /** The response has neither a lifetime nor a validator. */
    LIFETIME("no-lifetime"),
    /** The body is longer than the maximum length of a stored body. */
    LENGTH("too-long"),
    /** The end of the connection marks the end of the body, so the gateway could not detect an incomplete body. */
    UNDELIMITED("undelimited"),
    /** The path ends like the path of a static file, but the response is a page or data of an API. */
    DECEPTION("content-type"),
    /** The response is from the fallback of the route. */
    FALLBACK("fallback");

    /** The statuses whose definition permits a heuristic lifetime, except 206 (RFC 9110, 15.1). */
    private static final Set<Integer> HEURISTIC = Set.of(200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501);

    /**
     * The statuses that this cache implements. A response that contains {@code must-understand} is stored only if its
     * status is one of these.
     */
    private static final Set<Integer> UNDERSTOOD =
            Set.of(200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 501);

    /**
     * The statuses that are never stored, because they describe the request, its connection or a part of the response,
     * and not the resource. RFC 6585 forbids storing 428, 429, 431 and 511. The other statuses are excluded because a
     * client could provoke an error that all clients would receive, for example by a request for a range that cannot be
     * satisfied.
     */
    private static final Set<Integer> NEVER = Set.of(205, 206, 304, 412, 416, 417, 421, 425, 428, 429, 431, 511);

    /**
     * The extensions of files that are never pages. If the response to a path with such an extension is a page, the
     * path may be a trick to store the page of another client.
     */
    private static final Set<String> STATIC = Set.of(
            "7z", "avi", "avif", "bmp", "bz2", "css", "csv", "doc", "docx", "eot", "exe", "flac", "gif", "gz", "ico",
            "jar", "jpeg", "jpg", "js", "json", "map", "mid", "mjs", "mp3", "mp4", "ogg", "otf", "pdf", "png", "ppt",
            "pptx", "svg", "tar", "tif", "tiff", "ttf", "txt", "wasm", "wav", "webm", "webp", "woff", "woff2", "xls",
            "xlsx", "xml", "zip", "zst");

    private final String label;

    Storability(String label) {
        this.label = label;
    }

    /** Returns the stable name of this decision, as {@code Cache-Status} contains it. */
    String label() {
        return label;
    }

    /**
     * The settings of a route.
     *
     * @param statuses the statuses of responses that may be stored; empty = all that RFC 9111 permits
     * @param maxEntry the maximum length of a stored body, in bytes
     * @param setCookie whether responses with {@code Set-Cookie} may be stored
     * @param ignoreCredentials whether responses to requests with credentials are stored like all other responses
     */
    record Rules(
            Set<Integer> statuses,
            long maxEntry,
            boolean setCookie,
            boolean ignoreCredentials,
            Freshness.Settings freshness) {}

    static boolean isHeuristicallyCacheable(int status) {
        return HEURISTIC.contains(status);
    }

    /**
     * Returns whether a response with this status shows that the stored response is outdated. The response itself is
     * not stored. Returns false if the status shows only that the request has failed.
     */
    boolean replaces(int status) {
        boolean ofRequest = this == METHOD
                || this == FALLBACK
                || this == CREDENTIALS
                || this == NO_STORE_OF_CLIENT
                || NEVER.contains(status);
        return !ofRequest && (status < 400 || status == 404 || status == 410);
    }

    /**
     * Returns whether responses to other requests with this key probably can't be stored. Returns false if the response
     * is a failure, or if directives or fields of this request are the reason why its response is not stored.
     */
    boolean isLasting(int status) {
        return this != NO_STORE_OF_CLIENT
                && this != FALLBACK
                && status < 500
                && !NEVER.contains(status)
                && status != 400;
    }

    /**
     * Decides whether the response to a GET request may be stored.
     *
     * @param request the directives of the request; null if the route ignores them
     * @param credentials whether the request contains credentials
     * @param path the path of the request
     */
    static Storability of(
            @Nullable CacheControl request,
            boolean credentials,
            String path,
            ResponseHead response,
            CacheControl directives,
            Rules rules) {
        int status = response.status();
        HttpHeaders headers = response.headers();
        if (status < 200 || NEVER.contains(status) || !isConfigured(status, rules)) {
            return STATUS;
        }
        boolean understood = UNDERSTOOD.contains(status);
        if (directives.mustUnderstand() && !understood) {
            return STATUS;
        }
        // A cache that understands the status ignores no-store if must-understand is also present (RFC 9111, 5.2.2.3).
        boolean noStore = directives.noStore() && !directives.mustUnderstand();
        if (noStore) {
            return NO_STORE;
        }
        if (request != null && request.noStore()) {
            return NO_STORE_OF_CLIENT;
        }
        if (directives.isPrivate()) {
            return PRIVATE;
        }
        if (credentials && !rules.ignoreCredentials && !directives.permitsSharing()) {
            return CREDENTIALS;
        }
        if (!rules.setCookie && headers.contains(HttpHeaderNames.SET_COOKIE)) {
            return SET_COOKIE;
        }
        if (!hasUse(status, headers, directives, rules)) {
            return LIFETIME;
        }
        if (response.framing() == BodyFraming.UNTIL_CLOSE) {
            return UNDELIMITED;
        }
        if (response.framing() == BodyFraming.LENGTH && response.contentLength() > rules.maxEntry) {
            return LENGTH;
        }
        return isDeceptive(path, status, headers) ? DECEPTION : STORED;
    }

    private static boolean isConfigured(int status, Rules rules) {
        return rules.statuses.isEmpty() || rules.statuses.contains(status);
    }

    /**
     * Returns whether a stored response would be usable later, because it is fresh for some time or can be validated.
     */
    private static boolean hasUse(int status, HttpHeaders headers, CacheControl directives, Rules rules) {
        // The lifetimes of the route apply to failures and other temporary statuses only if the route lists the status.
        boolean lasting = Freshness.isExplicit(directives, headers)
                || isHeuristicallyCacheable(status)
                || directives.isPublic()
                || rules.statuses.contains(status);
        if (!lasting) {
            return false;
        }
        boolean timed = rules.freshness.ttl() > 0
                || rules.freshness.defaultTtl() > 0
                || Freshness.isExplicit(directives, headers);
        return timed || hasValidator(headers);
    }

    private static boolean hasValidator(HttpHeaders headers) {
        return headers.contains(HttpHeaderNames.ETAG) || headers.contains(HttpHeaderNames.LAST_MODIFIED);
    }

    /**
     * Returns whether a successful response is a page or data of an API although its path ends like the path of a
     * static file.
     */
    private static boolean isDeceptive(String path, int status, HttpHeaders headers) {
        int dot = path.lastIndexOf('.');
        if (status != 200 || dot < path.lastIndexOf('/') + 1) {
            return false;
        }
        String extension = path.substring(dot + 1).toLowerCase(Locale.ROOT);
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
        if (type == null || !STATIC.contains(extension)) {
            return false;
        }
        int semicolon = type.indexOf(';');
        String media =
                (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
        boolean page = media.equals("text/html") || media.equals("application/xhtml+xml");
        boolean json = media.equals("application/json") || media.endsWith("+json");
        return page || (json && !extension.equals("json") && !extension.equals("map"));
    }
}
