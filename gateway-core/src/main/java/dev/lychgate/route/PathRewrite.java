package dev.lychgate.route;

import dev.lychgate.config.RewriteConfig;
import dev.lychgate.http.RequestHead;

/** Makes the path to send on from the path that came in. Given a path in normal form, all but {@link Raw} give one. */
sealed interface PathRewrite permits PathRewrite.Keep, PathRewrite.Raw, PathRewrite.Strip, PathTemplate {
    String apply(RequestHead head);

    /**
     * What a route's rewriting comes down to.
     *
     * @param matched the path the route matches, whose variables a template may name
     * @throws IllegalArgumentException with what was expected
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

    /** As the client sent it, whatever filters did. */
    record Raw() implements PathRewrite {
        @Override
        public String apply(RequestHead head) {
            return head.rawPath();
        }
    }

    /** Without its first segments; {@code /} if it has no more. */
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
