package dev.lychgate.identity;

import dev.lychgate.http.Json;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that an issuer publishes. They are downloaded when they are first needed, and again in the background when
 * they are older than {@code refresh}. A token with an unknown key also causes a download, so that new keys take effect
 * at once. Downloads begin at least {@link #PAUSE} apart, so that clients cannot flood the issuer. If the issuer cannot
 * be reached, the last keys stay in use for another {@link #GRACE}.
 *
 * <p>Thread-safe, without locks.
 */
final class PublishedKeys implements KeySource {
    /** The minimum time between the starts of two downloads. */
    static final Duration PAUSE = Duration.ofSeconds(2);
    /** The time for which keys remain in use after {@code refresh} has passed, if they cannot be renewed. */
    static final Duration GRACE = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);

    private final String issuer;
    private final @Nullable URI url;
    private final long refresh;
    private final Function<URI, CompletableFuture<String>> download;
    private final Executor executor;
    private final LongSupplier clock;
    private final Runnable onChange;
    private final AtomicReference<State> state = new AtomicReference<>(new State(null, null, null, null, false));

    /**
     * The keys and their download at one point in time.
     *
     * @param known the last keys; null before the first download
     * @param text the last JWK set; null before the first download
     * @param next the download that is waiting or running; null if there is none
     * @param begunAt the start of the last download; null before the first download
     * @param failing whether the last download has failed
     */
    private record State(
            @Nullable Known known,
            @Nullable String text,
            @Nullable CompletableFuture<Known> next,
            @Nullable Long begunAt,
            boolean failing) {
        State with(CompletableFuture<Known> download) {
            return new State(known, text, download, begunAt, failing);
        }

        State begun(long now) {
            return new State(known, text, next, now, failing);
        }

        State failed() {
            return new State(known, text, null, begunAt, true);
        }

        State renewed(Known keys, String content) {
            return new State(keys, content, null, begunAt, false);
        }
    }

    /**
     * Creates a source that has not downloaded any keys.
     *
     * @param url the JWK set; null to find it in the discovery document of the issuer
     * @param executor runs downloads that an event loop requests
     * @param clock the time, as {@link System#nanoTime}
     * @param onChange called when the issuer has published keys that differ from the current keys
     */
    PublishedKeys(
            String issuer,
            @Nullable URI url,
            Duration refresh,
            Function<URI, CompletableFuture<String>> download,
            Executor executor,
            LongSupplier clock,
            Runnable onChange) {
        this.issuer = issuer;
        this.url = url;
        this.refresh = refresh.toNanos();
        this.download = download;
        this.executor = executor;
        this.clock = clock;
        this.onChange = onChange;
    }

    @Override
    public @Nullable Known current() {
        State now = Objects.requireNonNull(state.get());
        Known known = now.known();
        if (known == null) {
            return null;
        }
        if (clock.getAsLong() - known.askedAt() >= refresh && now.next() == null) {
            renew(known);
        }
        return isTooOld(known) ? null : known;
    }

    private boolean isTooOld(Known some) {
        return clock.getAsLong() - some.askedAt() >= refresh + GRACE.toNanos();
    }

    private void renew(Known old) {
        try {
            executor.execute(() -> newer(old));
        } catch (RejectedExecutionException e) {
            // A later request starts the download again.
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // different keys are a different object
    public CompletableFuture<Known> newer(@Nullable Known than) {
        CompletableFuture<Known> download = new CompletableFuture<>();
        while (true) {
            State now = Objects.requireNonNull(state.get());
            Known known = now.known();
            if (known != null && known != than && !isTooOld(known)) {
                return CompletableFuture.completedFuture(known);
            }
            if (now.next() != null) {
                return now.next();
            }
            if (state.compareAndSet(now, now.with(download))) {
                Long begun = now.begunAt();
                long wait = begun == null ? 0 : Math.max(0, begun + PAUSE.toNanos() - clock.getAsLong());
                if (wait == 0) {
                    begin(download);
                } else {
                    CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS)
                            .execute(() -> begin(download));
                }
                return download;
            }
        }
    }

    private void begin(CompletableFuture<Known> result) {
        long now = clock.getAsLong();
        state.updateAndGet(before -> before.begun(now));
        try {
            address().thenCompose(download).whenComplete((content, failure) -> {
                try {
                    if (failure == null) {
                        take(content, now, result);
                    } else {
                        fail(failure, result);
                    }
                } catch (ParseException | RuntimeException e) {
                    fail(e, result);
                }
            });
        } catch (RuntimeException e) {
            fail(e, result);
        }
    }

    /** Returns the URL of the JWK set. */
    private CompletableFuture<URI> address() {
        if (url != null) {
            return CompletableFuture.completedFuture(url);
        }
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        return download.apply(Documents.permitted(base + "/.well-known/openid-configuration"))
                .thenApply(this::keysIn);
    }

    /**
     * @see <a
     *     href="https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfigurationValidation">OpenID
     *     Connect Discovery, 4.3 OpenID Provider Configuration Validation</a>
     */
    private URI keysIn(String document) {
        if (!(Json.read(document) instanceof Map<?, ?> members) || !(members.get("jwks_uri") instanceof String keys)) {
            throw new IllegalArgumentException("the discovery document has no jwks_uri");
        }
        if (!issuer.equals(members.get("issuer"))) {
            throw new IllegalArgumentException("the discovery document belongs to another issuer");
        }
        URI address = Documents.permitted(keys);
        if (issuer.startsWith("https:") && !"https".equals(address.getScheme())) {
            // A document from another host must not refer to an address of this machine.
            throw new IllegalArgumentException("the issuer has https, so its jwks_uri needs https as well");
        }
        return address;
    }

    private void take(String content, long askedAt, CompletableFuture<Known> result) throws ParseException {
        Known now = new Known(TokenKeys.published(content), askedAt);
        State before = state.getAndUpdate(some -> some.renewed(now, content));
        if (before.failing()) {
            LOG.info("keys of issuer {} are available again", issuer);
        }
        if (before.text() != null && !before.text().equals(content)) {
            onChange.run();
        }
        result.complete(now);
    }

    private void fail(Throwable failure, CompletableFuture<Known> result) {
        State before = state.getAndUpdate(State::failed);
        if (!before.failing()) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            LOG.warn(
                    "keys of issuer {} cannot be downloaded: {}; keys that were downloaded earlier stay in use for at"
                            + " most {} min after they were due for renewal",
                    issuer,
                    cause.toString(),
                    GRACE.toMinutes());
        }
        result.completeExceptionally(failure);
    }
}
