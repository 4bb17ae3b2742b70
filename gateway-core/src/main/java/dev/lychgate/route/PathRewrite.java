package dev.lychgate.route;

import dev.lychgate.config.RewriteConfig;
import dev.lychgate.http.RequestHead;

/**
 * Computes the forwarded path from the received path. All rewrites except {@link Raw} convert a path in normal form to
 * a path in normal form.
 */
sealed interface PathRewrite permits PathRewrite.Keep, PathRewrite.Raw, PathRewrite.Strip, PathTemplate {
    String apply(RequestHead head);

    /**
     * Creates the rewrite of a route.
     *
     * @param matched the path pattern of the route; a template may use its variables
     * @throws IllegalArgumentException if a value of {@code config} is malformed; the message states the expected form
     */
    static PathRewrite of(RewriteConfig config, PathPattern matched) {
        if (config.forwardRaw()) {
            return new Raw();
        }
        if (config.path() != null) {
            return PathTemplate.parse(config.path(), matched);
        }
        return config.stripPrefix() == 0 ? new Keep() : new Strip(config.stripPrefix());
    }

    record Keep() implements PathRewrite {
        @Override
        public String apply(RequestHead head) {
            return head.path();
        }
    }

    /** Forwards the path as the client sent it, without changes by filters. */
    record Raw() implements PathRewrite {
        @Override
        public String apply(RequestHead head) {
            return head.rawPath();
        }
    }

    /** Forwards the path without its first {@code segments} segments; {@code /} if no segments remain. */
    record Strip(int segments) implements PathRewrite {
        @Override
        public String apply(RequestHead head) {
            String path = head.path();
            if (!path.startsWith("/")) {
                return path;
            }
            int slash = 0;
            for (int i = 0; i < segments; i++) {
                slash = path.indexOf('/', slash + 1);
                if (slash < 0) {
                    return "/";
                }
            }
            return path.substring(slash);
        }
    }
}
