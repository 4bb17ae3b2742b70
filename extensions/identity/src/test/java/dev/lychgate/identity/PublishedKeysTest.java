package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The downloads of keys, with a clock and documents of the test. */
class PublishedKeysTest {
    private static final String JWKS = "https://id.example.com/keys";

    private final Map<String, String> documents = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final List<Thread> askedBy = new ArrayList<>();
    private final Deque<Runnable> background = new ArrayDeque<>();
    private final AtomicInteger changes = new AtomicInteger();
    private long now;

    private CompletableFuture<String> download(URI url) {
        asked.add(url.toString());
        askedBy.add(Thread.currentThread());
        String document = documents.get(url.toString());
        return document == null
                ? CompletableFuture.failedFuture(new IOException("status 404"))
                : CompletableFuture.completedFuture(document);
    }

    private PublishedKeys keys(@Nullable String url) {
        return new PublishedKeys(
                Issuer.NAME,
                url == null ? null : URI.create(url),
                Duration.ofMinutes(10),
                this::download,
                background::add,
                () -> now,
                changes::incrementAndGet);
    }

    private void publish(JWK... keys) {
        documents.put(JWKS, new JWKSet(List.of(keys)).toString());
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void downloadsKeysOnceUntilTheyAreOld() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        PublishedKeys keys = keys(JWKS);
        assertThat(keys.current()).isNull();
        KeySource.Known first = keys.newer(null).get();
        assertThat(first.keys().knows("rsa")).isTrue();
        pass(Duration.ofMinutes(9));
        assertThat(keys.current()).isSameAs(first);
        assertThat(asked).containsExactly(JWKS);

        pass(Duration.ofMinutes(2));
        assertThat(keys.current()).as("used while new ones are downloaded").isSameAs(first);
        assertThat(background).hasSize(1);
        background.remove().run();
        assertThat(asked).containsExactly(JWKS, JWKS);
        assertThat(keys.current()).isNotSameAs(first);
        assertThat(changes).as("the same keys").hasValue(0);
    }

    @Test
    void aNewKeyIsFoundWithTheFirstTokenThatNamesIt() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        PublishedKeys keys = keys(JWKS);
        KeySource.Known old = keys.newer(null).get();
        publish(Issuer.RSA.toPublicJWK(), Issuer.EC.toPublicJWK());
        pass(Duration.ofSeconds(3));
        KeySource.Known newer = keys.newer(old).get();
        assertThat(newer.keys().knows("ec")).isTrue();
        assertThat(changes).hasValue(1);
        assertThat(keys.newer(old).get()).as("no further download").isSameAs(newer);
        assertThat(asked).hasSize(2);
    }

    @Test
    void downloadsForUnknownKeysPauseAndAreShared() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        PublishedKeys keys = keys(JWKS);
        KeySource.Known first = keys.newer(null).get();
        pass(PublishedKeys.PAUSE.minusMillis(50));
        List<CompletableFuture<KeySource.Known>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(keys.newer(first));
        }
        for (CompletableFuture<KeySource.Known> each : waiting) {
            assertThat(each.get(10, TimeUnit.SECONDS)).isNotSameAs(first);
        }
        assertThat(asked).hasSize(2);
        assertThat(askedBy.get(0)).isSameAs(Thread.currentThread());
        assertThat(askedBy.get(1)).as("a timer, at the end of the pause").isNotSameAs(Thread.currentThread());
    }

    @Test
    void theLastKeysAreUsedForAnHourWhileTheIssuerDoesNotRespond() throws Exception {
        publish(Issuer.RSA.toPublicJWK());
        PublishedKeys keys = keys(JWKS);
        keys.newer(null).get();
        documents.clear();
        pass(Duration.ofMinutes(11));
        assertThat(keys.current()).isNotNull();
        background.remove().run();
        pass(Duration.ofMinutes(58));
        assertThat(keys.current()).isNotNull();
        pass(Duration.ofMinutes(2));
        assertThat(keys.current()).isNull();
        assertThat(keys.newer(null)).isCompletedExceptionally();
        publish(Issuer.RSA.toPublicJWK());
        pass(Duration.ofSeconds(3));
        assertThat(keys.newer(null).get().keys().knows("rsa")).isTrue();
    }

    @Test
    void findsTheKeysByTheDocumentOfTheIssuer() throws Exception {
        String document = "https://id.example.com/.well-known/openid-configuration";
        publish(Issuer.RSA.toPublicJWK());
        documents.put(document, "{\"issuer\":\"https://id.example.com\",\"jwks_uri\":\"" + JWKS + "\"}");
        assertThat(keys(null).newer(null).get().keys().knows("rsa")).isTrue();
        assertThat(asked).containsExactly(document, JWKS);

        documents.put("http://127.0.0.1/keys", String.valueOf(documents.get(JWKS)));
        for (String wrong : List.of(
                "{\"issuer\":\"https://id.example.com\",\"jwks_uri\":\"http://127.0.0.1/keys\"}",
                "{\"issuer\":\"https://evil.example\",\"jwks_uri\":\"" + JWKS + "\"}",
                "{\"issuer\":\"https://id.example.com\",\"jwks_uri\":\"http://id.example.com/keys\"}",
                "{\"issuer\":\"https://id.example.com\"}",
                "[]",
                "{")) {
            documents.put(document, wrong);
            assertThat(keys(null).newer(null)).as(wrong).isCompletedExceptionally();
        }
    }

    @Test
    void publishedSecretsAndWeakKeysAreNotUsed() throws Exception {
        documents.put(
                JWKS,
                new JWKSet(List.of(Issuer.SECRET, Issuer.rsa(1024, "weak").toPublicJWK(), Issuer.EC.toPublicJWK()))
                        .toString(false));
        TokenKeys keys = keys(JWKS).newer(null).get().keys();
        assertThat(keys.knows("ec")).isTrue();
        assertThat(keys.knows("secret")).isFalse();
        assertThat(keys.knows("weak")).isFalse();
        documents.put(JWKS, "<html>");
        assertThat(keys(JWKS).newer(null)).isCompletedExceptionally();
    }

    @Test
    void permitsHttpForLoopbackAddressesOnly() {
        for (String url : List.of("https://id.example.com/keys", "http://127.0.0.1:1/keys", "http://localhost/keys")) {
            assertThat(Documents.permitted(url)).hasToString(url);
        }
        for (String url : List.of(
                "http://id.example.com/keys",
                "http://127.0.0.1.evil.example/keys",
                "ftp://127.0.0.1/keys",
                "file:///etc/passwd",
                "https://user@id.example.com/keys",
                "https:///keys",
                "keys")) {
            assertThat(catchThrowable(() -> Documents.permitted(url)))
                    .as(url)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
