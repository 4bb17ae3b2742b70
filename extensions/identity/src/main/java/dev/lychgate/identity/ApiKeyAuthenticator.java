package dev.lychgate.identity;

import dev.lychgate.extension.ContributedAuthenticator;
import dev.lychgate.filter.Authentication;
import dev.lychgate.filter.Authenticator;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterRequest;
import dev.lychgate.filter.Headers;
import dev.lychgate.http.FieldNames;
import dev.lychgate.http.FieldSyntax;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Accepts requests with an API key. The whole verification takes place on the event loop: it computes one SHA-256
 * digest of at most 256 bytes, which takes less than a microsecond.
 */
final class ApiKeyAuthenticator implements Authenticator {
    /**
     * The scheme of the challenge, which HTTP requires in each response with status 401. The scheme is not registered,
     * because no registered scheme is for API keys.
     */
    private static final String CHALLENGE = "ApiKey";

    private final ApiKeySettings settings;
    private final ApiKeys keys;
    private final Clock clock;
    /** The field name in the form that {@link FieldNames#fold} returns; null if keys are not accepted in a field. */
    private final @Nullable String folded;

    /** @throws dev.lychgate.config.ConfigException if the file of keys cannot be used */
    ApiKeyAuthenticator(ApiKeySettings settings, Clock clock) {
        this.settings = settings;
        this.keys = ApiKeys.read(settings.file());
        this.clock = clock;
        this.folded = settings.header() == null ? null : FieldNames.fold(settings.header());
    }

    /** Returns the declaration of this authenticator for the configuration. */
    static ContributedAuthenticator<VerifierThreads, ?> contributed() {
        return new ContributedAuthenticator<>(
                "api-key",
                "accepts API keys by their digests in a file",
                ApiKeySettings.KEYS,
                (threads, settings, name) -> new ApiKeyAuthenticator(settings, Clock.systemUTC()));
    }

    @Override
    public String challenge() {
        return CHALLENGE;
    }

    @Override
    public CompletionStage<Authentication> authenticate(FilterExchange exchange) {
        FilterRequest request = exchange.getRequest();
        List<String> presented = presented(request);
        remove(request);
        return CompletableFuture.completedFuture(judge(presented));
    }

    /** Returns the keys in all configured parts of the request, including empty keys. */
    private List<String> presented(FilterRequest request) {
        List<String> all = new ArrayList<>(1);
        String header = settings.header();
        if (header != null) {
            all.addAll(request.getHeaders().getAll(header));
        }
        String cookie = settings.cookie();
        if (cookie != null) {
            all.addAll(RequestCookies.values(request, cookie));
        }
        String query = settings.query();
        if (query != null) {
            all.addAll(request.queryParameters(query));
        }
        return all;
    }

    /**
     * Removes the keys from the request, unless the settings permit forwarding them. Fields with other spellings of the
     * name, for example with underscores, are always removed. An origin may treat such a field like the configured
     * field, but the gateway has not verified its value.
     */
    private void remove(FilterRequest request) {
        if (folded != null) {
            removeField(request.getHeaders(), folded);
        }
        String cookie = settings.cookie();
        if (cookie != null && !settings.forward()) {
            request.removeCookie(cookie);
        }
        String query = settings.query();
        if (query != null && request.getQuery() != null) {
            request.removeQueryParameter(query);
        }
    }

    private void removeField(Headers headers, String alike) {
        headers.getNames().stream()
                .filter(name -> FieldNames.isAlike(name, alike) && FieldSyntax.isSettable(name))
                .filter(name -> !settings.forward() || !name.equalsIgnoreCase(settings.header()))
                .forEach(headers::remove);
    }

    private Authentication judge(List<String> presented) {
        if (presented.isEmpty()) {
            return Authentication.absent();
        }
        if (presented.size() > 1) {
            return Authentication.refused(400, CHALLENGE, "the request has several API keys");
        }
        ApiKey key = keys.find(presented.get(0));
        if (key == null) {
            return Authentication.refused(401, CHALLENGE, "the API key is not accepted");
        }
        String refusal = key.refusal(clock.millis());
        return refusal == null
                ? Authentication.accepted(key.identity())
                : Authentication.refused(401, CHALLENGE, refusal);
    }
}
