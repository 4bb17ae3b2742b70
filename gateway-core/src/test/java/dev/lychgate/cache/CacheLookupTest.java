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

/** Requests that share one request to the origin: the order of their events, and the memory after each of them. */
class CacheLookupTest {
    private static final String FRESH = "cache-control: max-age=60";
    private static final long NOW = TimeUnit.SECONDS.toNanos(1000);

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
    private final AtomicInteger woken = new AtomicInteger();

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
        CacheLookup lookup = requireNonNull(cache.lookup(get(lines), false, null, List.of(), StaleUnderOverload.NONE));
        assertThat(lookup.search(NOW)).isEqualTo(Found.NOTHING);
        return lookup;
    }

    private Found join(CacheLookup lookup) {
        return lookup.join(woken::incrementAndGet, false, NOW);
    }

    private Found searchAgain(CacheLookup lookup) {
        return lookup.searchAgain(woken::incrementAndGet, true, false, NOW);
    }

    private static CacheLookup.Use respond(CacheLookup lookup, int status, String... lines) {
        RequestHead forwarded = get();
        lookup.prepare(forwarded);
        ResponseHead response = new ResponseHead(status, headers(lines));
        response.frame(BodyFraming.LENGTH, 3);
        return lookup.onResponse(new IncomingResponse(response, forwarded, false, false, NOW, 1000));
    }

    private static void body(CacheLookup lookup) {
        ByteBuf chunk = Unpooled.wrappedBuffer(new byte[3]);
        lookup.onBody(chunk);
        chunk.release();
        lookup.onEnd();
    }

    @Test
    void sendsTheResponseThatWasStoredBetweenTheSearchAndTheLead() {
        CacheLookup late = lookup();
        CacheLookup first = lookup();
        assertThat(join(first)).isEqualTo(Found.NOTHING);
        respond(first, 200, FRESH);
        body(first);
        first.close();
        assertThat(join(late)).isEqualTo(Found.FRESH);
        late.serve(NOW).body().close();
        late.close();
        assertThat(late.outcome()).isEqualTo(CacheOutcome.HIT);
    }

    @Test
    void leadsAfterAFailureAndSendsItsResponseToTheOthers() {
        CacheLookup first = lookup();
        CacheLookup second = lookup();
        CacheLookup third = lookup();
        assertThat(join(first)).isEqualTo(Found.NOTHING);
        assertThat(join(second)).isEqualTo(Found.WAIT);
        assertThat(join(third)).isEqualTo(Found.WAIT);
        first.fail();
        first.close();
        assertThat(woken).hasValue(1);
        assertThat(searchAgain(second)).isEqualTo(Found.NOTHING);
        respond(second, 200, FRESH);
        body(second);
        assertThat(woken).hasValue(2);
        assertThat(searchAgain(third)).isEqualTo(Found.FRESH);
        third.serve(NOW).body().close();
        second.close();
        third.close();
        assertThat(third.outcome()).isEqualTo(CacheOutcome.COALESCED);
    }

    /** Its client may leave before the event loop runs the continuation of the request. */
    @Test
    void passesTheLeadOnIfItsOwnerHasEnded() {
        CacheLookup first = lookup();
        CacheLookup second = lookup();
        CacheLookup third = lookup();
        join(first);
        join(second);
        join(third);
        first.fail();
        first.close();
        second.close();
        assertThat(woken).hasValue(2);
        assertThat(searchAgain(third)).isEqualTo(Found.NOTHING);
        third.close();
    }

    /** A filter that responds in place of the origin responds to all requests, so they need not follow each other. */
    @Test
    void wakesAllIfTheFirstRequestWasNotSent() {
        CacheLookup first = lookup();
        CacheLookup second = lookup();
        CacheLookup third = lookup();
        join(first);
        join(second);
        join(third);
        first.close();
        assertThat(woken).hasValue(2);
        assertThat(searchAgain(second)).isEqualTo(Found.NOTHING);
        assertThat(searchAgain(third)).isEqualTo(Found.NOTHING);
        second.close();
        third.close();
    }

    /** One client must not be able to make all others send their own requests. */
    @ParameterizedTest
    @ValueSource(ints = {400, 416, 429, 431, 500, 503})
    void wakesOneAfterAResponseThatDependsOnOneRequest(int status) {
        CacheLookup first = lookup();
        CacheLookup second = lookup();
        CacheLookup third = lookup();
        join(first);
        join(second);
        join(third);
        respond(first, status);
        assertThat(woken).hasValue(1);
        first.close();
        assertThat(searchAgain(second)).isEqualTo(Found.NOTHING);
        respond(second, 200, "cache-control: private");
        assertThat(woken).hasValue(2);
        assertThat(searchAgain(third)).isEqualTo(Found.NOTHING);
        assertThat(join(lookup())).isEqualTo(Found.NOTHING);
        second.close();
        third.close();
    }

    @Test
    void wakesAllAsSoonAsAStoredResponseIsConfirmed() {
        CacheLookup old = lookup();
        join(old);
        respond(old, 200, FRESH, "etag: \"1\"", "age: 100");
        body(old);
        old.close();
        CacheLookup first = lookup();
        CacheLookup second = lookup();
        assertThat(join(first)).isEqualTo(Found.NOTHING);
        assertThat(join(second)).isEqualTo(Found.WAIT);
        assertThat(respond(first, 304, "etag: \"1\"")).isEqualTo(CacheLookup.Use.VALIDATED);
        assertThat(woken).hasValue(1);
        assertThat(searchAgain(second)).isEqualTo(Found.FRESH);
        second.serve(NOW).body().close();
        second.close();
        first.close();
    }

    /** The stale response may be evicted while the request waits, and must not occupy memory then. */
    @Test
    void keepsNoStaleResponseInMemoryWhileItWaits() {
        CacheLookup old = lookup();
        join(old);
        respond(old, 200, FRESH, "etag: \"1\"", "age: 100");
        body(old);
        old.close();
        CacheLookup first = lookup();
        CacheLookup second = lookup();
        join(first);
        assertThat(join(second)).isEqualTo(Found.WAIT);
        respond(first, 503);
        first.close();
        store.purge(each -> true, NOW + 1);
        assertThat(store.memory().used()).isZero();
        second.close();
    }

    @Test
    void returnsTheMemoryOfAnIncompleteBody() {
        CacheLookup first = lookup();
        CacheLookup second = lookup();
        join(first);
        join(second);
        respond(first, 200, FRESH);
        ByteBuf part = Unpooled.wrappedBuffer(new byte[2]);
        first.onBody(part);
        part.release();
        first.onEnd();
        assertThat(store.entries()).isZero();
        assertThat(store.memory().used()).isZero();
        assertThat(woken).hasValue(1);
        first.close();
        second.close();
    }
}
