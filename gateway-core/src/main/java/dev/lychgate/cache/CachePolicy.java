package dev.lychgate.cache;

import dev.lychgate.config.CacheConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a route's cache, converted to the units in which they are used. Immutable.
 *
 * @param rules decide which responses are stored
 * @param staleWhileRevalidate the time during which a stale response may be sent while it is validated, in seconds
 *     after the end of the response's lifetime; {@link CacheControl#ABSENT} if no time is configured
 * @param staleIfError the time during which a stale response may replace a failure, in seconds after the end of the
 *     response's lifetime; {@link CacheControl#ABSENT} if no time is configured
 * @param patience the maximum time for which a request waits for the response to another request, in nanoseconds; 0 if
 *     requests do not wait
 * @param keyedByAuthorization whether the value of {@code Authorization} is a part of the key
 * @param obeysClients whether {@code Cache-Control} in requests is obeyed
 * @param announces whether responses contain {@code Cache-Status}
 * @param tags the name of the response field with the tags for purges; null if no field is configured
 * @param targets the names of the targeted fields that replace {@code Cache-Control}, in order of preference
 */
record CachePolicy(
        Storability.Rules rules,
        long staleWhileRevalidate,
        long staleIfError,
        long patience,
        boolean keyedByAuthorization,
        boolean obeysClients,
        boolean announces,
        @Nullable String tags,
        List<String> targets) {

    static CachePolicy of(CacheConfig config) {
        return new CachePolicy(
                new Storability.Rules(
                        Set.copyOf(config.statuses()),
                        config.maxEntry().bytes(),
                        config.setCookie(),
                        config.credentials() == CacheConfig.Credentials.IGNORE,
                        new Freshness.Settings(seconds(config.ttl()), seconds(config.defaultTtl()))),
                seconds(config.staleWhileRevalidate()),
                seconds(config.staleIfError()),
                config.coalesce().toNanos(),
                isKeyedByAuthorization(config),
                config.clientDirectives(),
                config.cacheStatus(),
                config.tags(),
                config.targets());
    }

    private static long seconds(@Nullable Duration configured) {
        return configured == null ? CacheControl.ABSENT : configured.toSeconds();
    }

    static boolean isKeyedByAuthorization(CacheConfig config) {
        return config.key().stream().anyMatch(part -> part.isHeader(HttpHeaderNames.AUTHORIZATION.toString()));
    }

    /**
     * Returns whether the fields contain credentials that are not part of the key, so that the response may be private
     * to one client.
     */
    boolean containsCredentials(HttpHeaders headers) {
        return headers.contains(HttpHeaderNames.COOKIE)
                || (!keyedByAuthorization && headers.contains(HttpHeaderNames.AUTHORIZATION));
    }

    /**
     * Returns whether the field {@code name}, in lower case, states nothing but the lifetime or the version of a
     * response.
     */
    boolean isAboutLifetime(String name) {
        return switch (name) {
            case "cache-control", "date", "etag", "expires", "last-modified" -> true;
            default -> targets.stream().anyMatch(name::equalsIgnoreCase);
        };
    }
}
