package dev.lychgate.cache;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides whether a request uses the cache of its route. */
final class CacheableRequest {
    private CacheableRequest() {}

    /** Returns the reason why a request does not use the cache; null if the request uses the cache. */
    static @Nullable String unusable(CacheConfig config, RequestHead head) {
        HttpMethod method = head.method();
        boolean served = method.equals(HttpMethod.GET)
                || (method.equals(HttpMethod.HEAD) && config.methods().contains("HEAD"));
        if (!served) {
            return "the method is " + method;
        }
        if (!method.equals(head.receivedMethod())) {
            return "a filter has changed the method";
        }
        if (head.protocol() != null || head.host().isEmpty()) {
            return head.host().isEmpty() ? "the request has no host" : "the request opens a tunnel";
        }
        if (!head.framing().isEmpty(head.contentLength())) {
            return "the request has a body";
        }
        for (CharSequence name : List.of(HttpHeaderNames.IF_MATCH, HttpHeaderNames.IF_UNMODIFIED_SINCE)) {
            if (head.headers().contains(name)) {
                return "the request contains " + name;
            }
        }
        return null;
    }
}
