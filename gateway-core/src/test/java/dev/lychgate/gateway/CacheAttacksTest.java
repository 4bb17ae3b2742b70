package dev.lychgate.gateway;

import static dev.lychgate.gateway.CachedOrigin.CACHE;
import static dev.lychgate.gateway.CachedOrigin.cached;
import static dev.lychgate.gateway.CachedOrigin.get;
import static dev.lychgate.gateway.CachedOrigin.numbering;
import static dev.lychgate.gateway.CachedOrigin.request;
import static dev.lychgate.gateway.CachedOrigin.start;
import static dev.lychgate.gateway.CachedOrigin.status;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Attacks on caches: a client stores a response that other clients must not receive (cache poisoning), or receives the response of
 * another client (cache deception).
 */
@Tag("slow")
class CacheAttacksTest {
    private static final String FRESH = "Cache-Control: max-age=60";

    private static int entries(Running gateway) {
        return requireNonNull(gateway.gateway().generation().caches()).entries();
    }

    /** An origin that reflects a request field in its response. */
    private static ScriptedOrigin reflecting(String name) {
        return ScriptedOrigin.answeringWhoStays((request, connection) ->
                connection.send(Responses.of(200, request.value(name).orElse("-"), FRESH)));
    }

    // ---- poisoning by fields that are no part of the URI

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Original-URL",
                "X-Rewrite-URL",
                "X-HTTP-Method-Override",
                "X-Method-Override",
                "X-Host",
                "X-Original-Host",
                "X-Forwarded-Scheme",
                "X-Forwarded-Prefix",
                "X_Host",
                "X_HTTP_Method_Override",
            })
    void doesNotShareAResponseThatAFieldInPlaceOfTheTargetHasSelected(String name) throws Exception {
        try (ScriptedOrigin origin = reflecting(name);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a", name + ": evil").body()).isIn("evil", "-");
            assertThat(get(client, "/a").body()).isEqualTo("-");
        }
    }

    @Test
    void removesForwardedHostsOfClientsBeforeTheyReachTheOriginOrTheKey() throws Exception {
        try (ScriptedOrigin origin = reflecting("x-forwarded-host");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a", "X-Forwarded-Host: evil.example").body())
                    .isEqualTo("shop");
            assertThat(get(client, "/a").body()).isEqualTo("shop");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void storesForwardedHostsOfTrustedProxiesUnderTheirOwnKeys() throws Exception {
        try (ScriptedOrigin origin = reflecting("x-forwarded-host");
                Running gateway = cached(origin, CACHE).trusting("127.0.0.1/32").start();
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a", "X-Forwarded-Host: evil.example").body())
                    .isEqualTo("evil.example");
            assertThat(get(client, "/a").body()).isEqualTo("shop");
        }
    }

    /** Some proxies pass on this field of their clients. */
    @Test
    void storesHostsInForwardedOfTrustedProxiesUnderTheirOwnKeys() throws Exception {
        try (ScriptedOrigin origin = reflecting("forwarded");
                Running gateway = cached(origin, CACHE).trusting("127.0.0.1/32").start();
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a", "Forwarded: host=evil.example").body()).isEqualTo("host=evil.example");
            assertThat(get(client, "/a").body()).isEqualTo("-");
            assertThat(get(client, "/a", "X-Forwarded-For: 203.0.113.7", "Forwarded: for=203.0.113.7")
                            .body())
                    .isEqualTo("-");
        }
    }

    // ---- bodies, methods, parameters

    @Test
    void neverStoresTheResponseToAGetWithABody() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays(
                        (request, c) -> c.send(Responses.of(200, "[" + request.body() + "]", FRESH)));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            RawMessage fat = client.send("GET /a HTTP/1.1\r\nHost: shop\r\nContent-Length: 4\r\n\r\nevil")
                    .readResponse();
            assertThat(fat.body()).isEqualTo("[evil]");
            assertThat(status(fat)).isEmpty();
            assertThat(get(client, "/a").body()).isEqualTo("[]");
            RawMessage chunked = client.send(
                            "GET /a HTTP/1.1\r\nHost: shop\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n")
                    .readResponse();
            assertThat(chunked.body()).isEqualTo("[x]");
        }
    }

    @Test
    void keepsParametersThatHideInIgnoredOnes() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays(
                        (request, c) -> c.send(Responses.of(200, request.target(), FRESH)));
                Running gateway =
                        cached(origin, CACHE.withIgnoredQuery("utm_*")).start();
                RawClient client = gateway.client()) {
            get(client, "/a?callback=good&utm_x=1;callback=evil");
            assertThat(get(client, "/a?callback=good&utm_x=1").body()).isEqualTo("/a?callback=good&utm_x=1");
            assertThat(get(client, "/a?callback=good").body()).isEqualTo("/a?callback=good&utm_x=1");
        }
    }

    @Test
    void doesNotStoreTheResponseToHeadAsThatToGet() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            RawMessage head = request(client, "HEAD", "/a");
            assertThat(status(head)).endsWith("detail=method");
            assertThat(entries(gateway)).isZero();
            assertThat(get(client, "/a").body()).isEqualTo("n2");
        }
    }

    // ---- hosts and paths

    @ParameterizedTest
    @ValueSource(strings = {"shop", "SHOP", "Shop:80", "shop:"})
    void usesOneKeyForAllFormsOfAHost(String host) throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a", "Host: shop");
            assertThat(get(client, "/a", "Host: " + host).body()).isEqualTo("n1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop:8080", "shop.", "shop.example", "ashop"})
    void usesOtherKeysForOtherHosts(String host) throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a", "Host: shop");
            assertThat(get(client, "/a", "Host: " + host).body()).isEqualTo("n2");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/b/../a, n1",
        "//a, n1",
        "/./a, n1",
        "/%61, n1",
        "/A, n2",
        "/a/, n2",
        "/a?, n2",
        "/a%20, n2",
    })
    void usesOneKeyForAllFormsOfAPathThatTheOriginReceivesAlike(String target, String body) throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            get(client, "/a");
            assertThat(get(client, target).body()).isEqualTo(body);
        }
    }

    // ---- partial and contradicting responses

    @Test
    void storesNoPartialResponse() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> c.send(
                        request.has("range")
                                ? Responses.of(206, "b", FRESH, "Content-Range: bytes 1-1/3")
                                : Responses.of(200, "abc", FRESH)));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            RawMessage part = get(client, "/a", "Range: bytes=1-1");
            assertThat(part.status()).isEqualTo(206);
            assertThat(status(part)).endsWith("detail=status");
            assertThat(get(client, "/a").body()).isEqualTo("abc");
            assertThat(get(client, "/a", "Range: bytes=2-2").body()).isEqualTo("c");
            assertThat(origin.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    void storesNoResponseWithContradictingLengths() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send(Responses.head(200, FRESH, "Content-Length: 3", "Content-Length: 5") + "\r\nabcde");
                        })
                        .onConnection(c -> c.answerEvery(r -> Responses.of(200, "whole", FRESH)));
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(get(client, "/a").status()).isEqualTo(502);
            assertThat(entries(gateway)).isZero();
            assertThat(get(client, "/a").body()).isEqualTo("whole");
        }
    }

    @Test
    void storesNoBodyThatTheEndOfTheConnectionDelimits() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(Responses.head(200, FRESH) + "\r\nabc");
                    c.close();
                });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(status(get(client, "/a"))).endsWith("detail=undelimited");
            assertThat(entries(gateway)).isZero();
        }
    }

    @Test
    void storesNoResponseThatVariesOnEverythingOrOnTheAddressOfTheClient() throws Exception {
        for (String name : List.of("*", "X-Forwarded-For", "X-Request-Id")) {
            try (ScriptedOrigin origin = numbering(FRESH, "Vary: " + name);
                    Running gateway = start(origin);
                    RawClient client = gateway.client()) {
                assertThat(status(get(client, "/a"))).endsWith("detail=vary");
                assertThat(get(client, "/a").body()).isEqualTo("n2");
            }
        }
    }

    // ---- responses for one client

    @ParameterizedTest
    @ValueSource(strings = {"Authorization: Bearer x", "Cookie: session=x"})
    void storesResponsesToRequestsWithCredentialsOnlyIfTheyPermitIt(String credentials) throws Exception {
        try (ScriptedOrigin origin = CachedOrigin.answering(request ->
                        new String[] {request.target().equals("/public") ? "Cache-Control: public, max-age=60" : FRESH
                        });
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(status(get(client, "/mine", credentials))).endsWith("detail=credentials");
            assertThat(get(client, "/mine").body()).isEqualTo("n2");
            assertThat(status(get(client, "/public", credentials))).endsWith("stored");
            assertThat(get(client, "/public").body()).isEqualTo("n3");
        }
    }

    @Test
    void storesResponsesToRequestsWithCookiesIfTheRouteIgnoresThem() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH);
                Running gateway = cached(origin, CACHE.withCredentials(CacheConfig.Credentials.IGNORE))
                        .start();
                RawClient client = gateway.client()) {
            get(client, "/a", "Cookie: session=x");
            assertThat(get(client, "/a").body()).isEqualTo("n1");
        }
    }

    @Test
    void storesNoResponseThatSetsACookieUnlessTheRoutePermitsIt() throws Exception {
        try (ScriptedOrigin origin = numbering(FRESH, "Set-Cookie: session=x");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(status(get(client, "/a"))).endsWith("detail=set-cookie");
            assertThat(get(client, "/a").body()).isEqualTo("n2");
        }
        try (ScriptedOrigin origin = numbering(FRESH, "Set-Cookie: lang=de");
                Running gateway = cached(origin, CACHE.withSetCookie(true)).start();
                RawClient client = gateway.client()) {
            get(client, "/a");
            RawMessage hit = get(client, "/a");
            assertThat(hit.body()).isEqualTo("n1");
            assertThat(hit.value("set-cookie")).contains("lang=de");
        }
    }

    /** An origin that ignores the end of the path serves the account page of the victim under the name of a style sheet. */
    @Test
    void storesNoPageUnderTheNameOfAStaticFile() throws Exception {
        try (ScriptedOrigin origin = numbering("Cache-Control: public, max-age=60", "Content-Type: text/html");
                Running gateway = start(origin);
                RawClient client = gateway.client()) {
            assertThat(status(get(client, "/account/x.css", "Cookie: session=victim")))
                    .endsWith("detail=content-type");
            assertThat(get(client, "/account/x.css").body()).isEqualTo("n2");
        }
    }

    /** Responses to requests before a change must not be stored after it. */
    @Test
    void storesNoResponseThatAnUnsafeRequestHasOvertaken() throws Exception {
        Gate changed = new Gate();
        try (ScriptedOrigin origin = ScriptedOrigin.answeringWhoStays((request, c) -> {
                    if (request.method().equals("GET") && !request.has("x-late")) {
                        changed.await();
                    }
                    c.send(Responses.of(200, request.has("x-late") ? "new" : "old", FRESH));
                });
                Running gateway = start(origin);
                RawClient early = gateway.client();
                RawClient other = gateway.client()) {
            early.send("GET /a HTTP/1.1\r\nHost: shop\r\n\r\n");
            origin.awaitRequests(1);
            request(other, "PUT", "/a", "Content-Length: 0");
            changed.open();
            assertThat(early.readResponse().body()).isEqualTo("old");
            assertThat(get(other, "/a", "X-Late: 1").body()).isEqualTo("new");
        }
    }
}
