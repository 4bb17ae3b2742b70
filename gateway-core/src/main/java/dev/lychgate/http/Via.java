package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.EnumMap;
import java.util.Map;

/**
 * The {@code Via} entry of this gateway: the HTTP version of the received message and the name of the gateway. All
 * connections share one instance. Immutable and thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3">RFC 9110, 7.6.3 Via</a>
 */
public final class Via {
    private final String pseudonym;
    private final Map<HttpVersion, String> words = new EnumMap<>(HttpVersion.class);

    /** @param pseudonym this gateway's unique name */
    public Via(String pseudonym) {
        this.pseudonym = pseudonym;
        for (HttpVersion version : HttpVersion.values()) {
            words.put(version, version.number() + " " + pseudonym);
        }
    }

    /** Returns whether a request with these headers has already passed through this gateway. */
    boolean isIn(HttpHeaders headers) {
        if (!headers.contains(HttpHeaderNames.VIA)) {
            return false;
        }
        for (String value : headers.getAll(HttpHeaderNames.VIA)) {
            if (value.contains(pseudonym)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Appends the entry of this gateway to the entries of previous proxies in {@code headers}.
     *
     * @param version the version in which the message was received
     */
    void addTo(HttpHeaders headers, HttpVersion version) {
        String here = words.get(version);
        headers.set(
                HttpHeaderNames.VIA,
                headers.contains(HttpHeaderNames.VIA)
                        ? String.join(", ", headers.getAll(HttpHeaderNames.VIA)) + ", " + here
                        : here);
    }
}
