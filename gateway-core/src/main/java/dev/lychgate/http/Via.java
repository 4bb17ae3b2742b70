package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.EnumMap;
import java.util.Map;

/**
 * This gateway's word in {@code Via}: the version in which it received a message, and its name. One per gateway, so that no
 * connection keeps a copy of it. Any thread may use it.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3">RFC 9110, 7.6.3 Via</a>
 */
public final class Via {
    private final String pseudonym;
    private final Map<HttpVersion, String> words = new EnumMap<>(HttpVersion.class);

    /** @param pseudonym this gateway's name, unlike every other gateway's */
    public Via(String pseudonym) {
        this.pseudonym = pseudonym;
        for (HttpVersion version : HttpVersion.values()) {
            words.put(version, version.number() + " " + pseudonym);
        }
    }

    /** Whether this request has already passed through this very gateway. */
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

    /** Adds it behind those of the proxies before. @param version in which the message was received */
    void addTo(HttpHeaders headers, HttpVersion version) {
        String here = words.get(version);
        headers.set(
                HttpHeaderNames.VIA,
                headers.contains(HttpHeaderNames.VIA)
                        ? String.join(", ", headers.getAll(HttpHeaderNames.VIA)) + ", " + here
                        : here);
    }
}
