package dev.lychgate.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.cache.CacheLookup.Found;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.CacheConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stale responses that overload permits for an hour, by the directives of stored responses with a lifetime of a minute. */
class StaleUnderOverloadTest {
    private static final String MINUTE = "cache-control: max-age=60";
    private static final long STORED = TimeUnit.SECONDS.toNanos(1000);
    private static final long HOUR = TimeUnit.HOURS.toSeconds(1);

    private final ResponseStore store = Stored.store(ByteSize.ofMiB(1), 1000);
    private final RouteCache cache = RouteCache.of(
            new RouteConfig(
                    "all",
                    0,
                    MatchConfig.ANY,
                    RewriteConfig.NONE,
                    new RouteAction.Proxy("origin"),
                    RouteTimeouts.UNSET),
            CacheConfig.DEFAULT,
            store,
            null);
    private boolean precedes = true;
    private final StaleUnderOverload overload = new StaleUnderOverload() {
        @Override
        public long seconds() {
            return HOUR;
        }

        @Override
        public boolean precedesOrigin() {
            return precedes;
        }
    };

    @AfterEach
    void returnsAllMemory() {
        assertThat(store.flights().waiting()).isZero();
        store.close();
        assertThat(store.memory().used()).isZero();
    }

    private static HttpHeaders headers(String... lines) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (String line : lines) {
            int colon = line.indexOf(": ");
            headers.add(line.substring(0, colon), line.substring(colon + 2));
        }
        return headers;
    }

    private static RequestHead get(String... lines) {
        return new RequestHead(HttpMethod.GET, false, "/a", null, "shop", headers(lines));
    }

    private CacheLookup lookup(String... lines) {
        return requireNonNull(cache.lookup(get(lines), false, null, List.of(), overload));
    }

    private void store(String... fields) {
        CacheLookup first = lookup();
        assertThat(first.search(STORED)).isEqualTo(Found.NOTHING);
        RequestHead forwarded = get();
        first.prepare(forwarded);
        ResponseHead response = new ResponseHead(200, headers(fields));
        response.headers().set("etag", "\"1\"");
        response.frame(BodyFraming.LENGTH, 3);
        first.onResponse(new IncomingResponse(response, forwarded, false, false, STORED, 1000));
        ByteBuf chunk = Unpooled.wrappedBuffer(new byte[3]);
        first.onBody(chunk);
        chunk.release();
        first.onEnd();
        first.close();
    }

    /** Returns the time at which the stored response has been stale for so long. */
    private static long late(long seconds) {
        return STORED + TimeUnit.SECONDS.toNanos(60 + seconds);
    }

    private Found found(long late, String... lines) {
        try (CacheLookup lookup = lookup(lines)) {
            return lookup.search(late(late));
        }
    }

    private boolean replacesRefusal(long late, String... lines) {
        try (CacheLookup lookup = lookup(lines)) {
            lookup.search(late(late));
            return lookup.servesDespiteRefusal(late(late), false);
        }
    }

    private static String serve(CacheLookup lookup, long now) {
        CachedResponse response = lookup.serve(now);
        response.body().close();
        return requireNonNull(response.head().headers().get("cache-status"));
    }

    @Test
    void sendsTheStaleResponseBeforeTheOriginOnlyOnTheRung() {
        store(MINUTE);
        precedes = false;
        assertThat(found(40)).isEqualTo(Found.NOTHING);
        precedes = true;
        try (CacheLookup lookup = lookup()) {
            assertThat(lookup.search(late(40))).isEqualTo(Found.FRESH);
            assertThat(serve(lookup, late(40))).isEqualTo("Lychgate; hit; ttl=-40; detail=overload");
            assertThat(lookup.outcome()).isEqualTo(CacheOutcome.STALE);
        }
    }

    @Test
    void sendsAFreshResponseAsAlways() {
        store(MINUTE);
        try (CacheLookup lookup = lookup()) {
            assertThat(lookup.search(late(-10))).isEqualTo(Found.FRESH);
            assertThat(serve(lookup, late(-10))).isEqualTo("Lychgate; hit; ttl=10");
        }
    }

    @Test
    void sendsNoResponseThatHasBeenStaleForLonger() {
        store(MINUTE);
        assertThat(found(HOUR - 1)).isEqualTo(Found.FRESH);
        assertThat(replacesRefusal(HOUR - 1)).isTrue();
        assertThat(found(HOUR)).isEqualTo(Found.NOTHING);
        assertThat(replacesRefusal(HOUR)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max-age=60, must-revalidate",
                "max-age=60, proxy-revalidate",
                "max-age=60, no-cache",
                "s-maxage=60",
                "s-maxage=60, max-age=600",
                "max-age=60, must-revalidate, stale-if-error=600",
                "max-age=60, stale-if-error=0",
            })
    void obeysAResponseThatForbidsStaleness(String directives) {
        store("cache-control: " + directives);
        assertThat(found(40)).isEqualTo(Found.NOTHING);
        assertThat(replacesRefusal(40)).isFalse();
    }

    @Test
    void prefersTheTimeThatTheResponseStatesForFailures() {
        store("cache-control: s-maxage=60, stale-if-error=10");
        assertThat(found(9)).isEqualTo(Found.FRESH);
        assertThat(found(10)).isEqualTo(Found.NOTHING);
        assertThat(replacesRefusal(9)).isTrue();
        assertThat(replacesRefusal(10)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-cache", "max-age=0", "min-fresh=5"})
    void forwardsARequestForANewerResponseAndReplacesOnlyItsRefusal(String directives) {
        store(MINUTE);
        assertThat(found(40, "cache-control: " + directives)).isEqualTo(Found.NOTHING);
        assertThat(replacesRefusal(40, "cache-control: " + directives)).isTrue();
    }

    @Test
    void validatesNoResponseInTheBackgroundOnTheRung() {
        store("cache-control: max-age=60, stale-while-revalidate=600");
        assertThat(found(40)).isEqualTo(Found.FRESH);
        precedes = false;
        assertThat(found(40)).isEqualTo(Found.STALE);
    }

    @Test
    void replacesARefusalOnEachRung() {
        store(MINUTE);
        precedes = false;
        assertThat(replacesRefusal(40)).isTrue();
        try (CacheLookup failing = lookup()) {
            assertThat(failing.search(late(40))).isEqualTo(Found.NOTHING);
            assertThat(failing.servesDespiteFailure(late(40)))
                    .as("another failure")
                    .isFalse();
        }
    }

    @Test
    void reportsTheRequestAsForwardedOnlyIfAnAttemptWas() {
        store(MINUTE);
        precedes = false;
        for (boolean forwarded : new boolean[] {false, true}) {
            try (CacheLookup shed = lookup()) {
                assertThat(shed.search(late(40))).isEqualTo(Found.NOTHING);
                shed.prepare(get());
                assertThat(shed.servesDespiteRefusal(late(40), forwarded)).isTrue();
                assertThat(serve(shed, late(40)))
                        .isEqualTo(
                                forwarded
                                        ? "Lychgate; fwd=stale; ttl=-40; detail=overload"
                                        : "Lychgate; hit; ttl=-40; detail=overload");
            }
        }
    }

    @Test
    void sendsTheStaleResponseToRequestsThatWaitForOneThatIsShed() {
        AtomicInteger woken = new AtomicInteger();
        store(MINUTE);
        precedes = false;
        long now = late(40);
        CacheLookup first = lookup();
        CacheLookup second = lookup();
        for (CacheLookup each : new CacheLookup[] {first, second}) {
            assertThat(each.search(now)).isEqualTo(Found.NOTHING);
        }
        assertThat(first.join(woken::incrementAndGet, false, now)).isEqualTo(Found.NOTHING);
        assertThat(second.join(woken::incrementAndGet, false, now)).isEqualTo(Found.WAIT);
        assertThat(first.servesDespiteRefusal(now, false)).isTrue();
        assertThat(woken).hasValue(1);
        assertThat(second.searchAgain(woken::incrementAndGet, true, false, now)).isEqualTo(Found.FRESH);
        assertThat(serve(first, now)).isEqualTo("Lychgate; hit; ttl=-40; detail=overload");
        assertThat(serve(second, now)).isEqualTo("Lychgate; fwd=stale; collapsed; ttl=-40; detail=overload");
        first.close();
        second.close();
    }

    @Test
    void sendsTheStaleResponseToARequestThatHasWaitedUntilTheRungIsReached() {
        store(MINUTE);
        precedes = false;
        long now = late(40);
        CacheLookup first = lookup();
        CacheLookup second = lookup();
        for (CacheLookup each : new CacheLookup[] {first, second}) {
            assertThat(each.search(now)).isEqualTo(Found.NOTHING);
            each.join(() -> {}, false, now);
        }
        precedes = true;
        assertThat(second.searchAgain(() -> {}, true, false, now)).isEqualTo(Found.FRESH);
        assertThat(serve(second, now)).endsWith("collapsed; ttl=-40; detail=overload");
        second.close();
        first.close();
    }
}
