package dev.lychgate.upstream;

import dev.lychgate.config.HashSource;
import dev.lychgate.http.Cookies;
import dev.lychgate.http.QueryParameters;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Computes the hash of the part of a request that a {@link HashSource} selects. Requests without this part get a random
 * hash. Cookies and query parameters are decoded, which allocates memory.
 */
record RequestHash(HashSource source, SplittableRandom random) {
    static RequestHash of(@Nullable HashSource source, SplittableRandom random) {
        if (source == null) {
            throw new IllegalArgumentException("a consistent hash requires a hash source");
        }
        return new RequestHash(source, random);
    }

    long of(BalanceContext context) {
        if (source instanceof HashSource.ClientIp) {
            return Hash.ofClient(context.clientAddress());
        }
        String key = key(context);
        return key == null ? random.nextLong() : Hash.of(key);
    }

    private @Nullable String key(BalanceContext context) {
        if (source instanceof HashSource.Header header) {
            return context.head().headers().get(header.name());
        }
        if (source instanceof HashSource.Cookie cookie) {
            return Cookies.of(context.head().headers()).get(cookie.name());
        }
        if (source instanceof HashSource.Query query) {
            List<String> values = QueryParameters.of(context.head().query(), query.name());
            return values.isEmpty() ? null : values.get(0);
        }
        return context.head().path();
    }
}
