package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of stored responses, and attempts to store a response under the key of another request. */
class KeyMakerTest {
    private static final KeyMaker PLAIN = new KeyMaker(CacheConfig.DEFAULT, false);

    private static RequestHead get(String host, String path, @Nullable String query, String... fields) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (String field : fields) {
            int colon = field.indexOf(':');
            headers.add(field.substring(0, colon), field.substring(colon + 1));
        }
        return new RequestHead(HttpMethod.GET, false, path, query, host, headers);
    }

    private static String key(KeyMaker keys, RequestHead head) {
        return keys.of(head, false, null, List.of()).text();
    }

    private static String query(CacheConfig config, String query) {
        String text = key(new KeyMaker(config, false), get("h", "/a", query));
        return text.substring(text.indexOf('?') + 1);
    }

    @ParameterizedTest
    @CsvSource({"shop, shop", "SHOP, shop", "Shop:80, shop", "shop:, shop", "shop:8080, shop:8080", "[::1]:80, [::1]"})
    void normalizesHosts(String host, String normal) {
        assertThat(KeyMaker.host(host, false)).isEqualTo(normal);
    }

    @Test
    void removesOnlyTheDefaultPortOfTheScheme() {
        assertThat(KeyMaker.host("shop:443", true)).isEqualTo("shop");
        assertThat(KeyMaker.host("shop:80", true)).isEqualTo("shop:80");
        assertThat(KeyMaker.host("[::1]", true)).isEqualTo("[::1]");
    }

    @Test
    void containsSchemeHostPathAndQuery() {
        String key = key(PLAIN, get("shop", "/a", "b=c"));
        assertThat(key).endsWith(" http://shop/a?b=c");
        assertThat(PLAIN.of(get("shop", "/a", "b=c"), true, null, List.of()).text())
                .endsWith(" https://shop/a?b=c");
        assertThat(key(PLAIN, get("shop", "/a", null))).isNotEqualTo(key(PLAIN, get("shop", "/a", "")));
        assertThat(PLAIN.of(get("shop", "/a", "b=c"), false, "other", List.of()).text())
                .isNotEqualTo(key);
    }

    @Test
    void differsBetweenRoutes() {
        KeyMaker other = new KeyMaker(CacheConfig.DEFAULT, false);
        assertThat(key(other, get("shop", "/a", null))).isNotEqualTo(key(PLAIN, get("shop", "/a", null)));
    }

    @Test
    void containsConfiguredFieldsAndCookies() {
        KeyMaker keys = new KeyMaker(CacheConfig.DEFAULT.withKey("header:x-tenant", "cookie:lang"), false);
        String key = key(keys, get("h", "/a", null, "x-tenant:a", "cookie:x=1; lang=de"));
        assertThat(key(keys, get("h", "/a", null, "X-Tenant:a", "cookie:lang=de; y=2")))
                .isEqualTo(key);
        assertThat(key(keys, get("h", "/a", null, "x-tenant:b", "cookie:lang=de")))
                .isNotEqualTo(key);
        assertThat(key(keys, get("h", "/a", null, "x-tenant:a", "cookie:lang=en")))
                .isNotEqualTo(key);
        assertThat(key(keys, get("h", "/a", null, "x-tenant:a"))).isNotEqualTo(key);
        assertThat(key(keys, get("h", "/a", null, "x-tenant:a", "x-tenant:b", "cookie:lang=de")))
                .isNotEqualTo(key);
    }

    @Test
    void leavesOutIgnoredParameters() {
        CacheConfig config = CacheConfig.DEFAULT.withIgnoredQuery("utm_*", "fbclid");
        assertThat(query(config, "a=1&utm_source=x&b=2&fbclid=y&utm=z")).isEqualTo("a=1&b=2&utm=z");
        assertThat(query(config, "utm%5Fsource=x&a=1")).isEqualTo("a=1");
        assertThat(query(config, "utm_source=x")).isEmpty();
    }

    @Test
    void containsOnlyAllowedParameters() {
        CacheConfig config = CacheConfig.DEFAULT.withAllowedQuery("page", "q*");
        assertThat(query(config, "page=1&x=2&query=3&pages=4")).isEqualTo("page=1&query=3");
    }

    /** Some origins ignore case, remove characters, or end a name at a bracket or a zero byte. */
    @ParameterizedTest
    @ValueSource(strings = {"Page=2", "%20page=2", "+page=2", "page%00x=2", "page[]=2", "pa.ge=2", "page_=2"})
    void containsOtherSpellingsOfAllowedParameters(String pair) {
        CacheConfig config = CacheConfig.DEFAULT.withAllowedQuery("page");
        assertThat(query(config, "page=1&" + pair)).isEqualTo("page=1&" + pair);
    }

    /** An origin that also divides at semicolons reads a second parameter inside of the ignored one. */
    @ParameterizedTest
    @ValueSource(strings = {"utm_x=1;callback=evil", "utm_x=1%3bcallback=evil", "utm_x=1%3Bcallback=evil"})
    void keepsIgnoredParametersThatCloakAnother(String pair) {
        CacheConfig config = CacheConfig.DEFAULT.withIgnoredQuery("utm_*");
        assertThat(query(config, "callback=good&" + pair)).isEqualTo("callback=good&" + pair);
    }

    @Test
    void keepsTheOrderAndTheDuplicatesOfParameters() {
        CacheConfig config = CacheConfig.DEFAULT.withIgnoredQuery("x");
        assertThat(query(config, "a=1&a=2&x=3")).isEqualTo("a=1&a=2");
        assertThat(query(config, "a=2&a=1")).isEqualTo("a=2&a=1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Original-URL:/admin",
                "X-Rewrite-URL:/admin",
                "X-HTTP-Method-Override:POST",
                "X-Forwarded-Host:evil.example",
                "X-Forwarded-Scheme:http",
                "X-Forwarded-Prefix:/evil",
                "X-Host:evil.example",
                "X-Original-Host:evil.example",
                "Front-End-Https:on",
                "X-Forwarded-Path:/evil",
                "X-Forwarded-User:alice",
                "X-Original-Method:POST",
                "X-Envoy-Original-Path:/evil",
                "Forwarded:for=1.2.3.4;host=evil.example",
                "Forwarded:for=a\"b;proto=http",
                "X_HTTP_Method_Override:POST",
                "X_Host:evil.example",
                "X.Host:evil.example",
            })
    void containsFieldsThatOriginsUseInPlaceOfTheTarget(String field) {
        assertThat(key(PLAIN, get("shop", "/a", null, field))).isNotEqualTo(key(PLAIN, get("shop", "/a", null)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For:1.2.3.4",
                "X-Original-Forwarded-For:1.2.3.4",
                "Forwarded:for=1.2.3.4;by=5.6.7.8",
                "Accept:a/b",
            })
    void containsNoAddressesOfClients(String field) {
        assertThat(key(PLAIN, get("shop", "/a", null, field))).isEqualTo(key(PLAIN, get("shop", "/a", null)));
    }

    /** Origins with a CGI-like interface read both names as the same field. */
    @Test
    void containsOtherSpellingsOfConfiguredFields() {
        KeyMaker keys = new KeyMaker(CacheConfig.DEFAULT.withKey("header:x-tenant"), false);
        assertThat(key(keys, get("h", "/a", null, "x-tenant:a", "x_tenant:b")))
                .isNotEqualTo(key(keys, get("h", "/a", null, "x-tenant:a")));
    }

    @Test
    void separatesTheValuesOfAField() {
        KeyMaker keys = new KeyMaker(CacheConfig.DEFAULT.withKey("header:x-tenant"), false);
        assertThat(key(keys, get("h", "/a", null, "x-tenant:a\t=b")))
                .isNotEqualTo(key(keys, get("h", "/a", null, "x-tenant:a", "x-tenant:b")));
    }

    @Test
    void ignoresAForwardedHostThatEqualsTheHost() {
        assertThat(key(PLAIN, get("shop", "/a", null, "X-Forwarded-Host:shop")))
                .isEqualTo(key(PLAIN, get("shop", "/a", null)));
    }

    @Test
    void containsTheOriginalPathIfTheOriginReceivesIt() {
        RequestHead dotted = get("h", "/b/../a", null);
        dotted.path("/a");
        KeyMaker raw = new KeyMaker(CacheConfig.DEFAULT, true);
        assertThat(key(raw, dotted)).isNotEqualTo(key(raw, get("h", "/a", null)));
        assertThat(key(PLAIN, dotted)).isEqualTo(key(PLAIN, get("h", "/a", null)));
    }
}
