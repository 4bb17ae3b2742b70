package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cache directives of messages (RFC 9111, 5.2). */
class CacheControlTest {
    private static CacheControl parse(String... fields) {
        return CacheControl.parse(List.of(fields));
    }

    @Test
    void readsAllDirectives() {
        CacheControl all = parse(
                "no-store, no-cache,private,public, must-revalidate",
                "must-understand , max-age=1,s-maxage=2, min-fresh=3, max-stale=4",
                "stale-while-revalidate=5, stale-if-error=6, only-if-cached");
        assertThat(all.noStore()).isTrue();
        assertThat(all.noCache()).isTrue();
        assertThat(all.isPrivate()).isTrue();
        assertThat(all.isPublic()).isTrue();
        assertThat(all.mustRevalidate()).isTrue();
        assertThat(all.mustUnderstand()).isTrue();
        assertThat(all.onlyIfCached()).isTrue();
        assertThat(all.maxAge()).isEqualTo(1);
        assertThat(all.sharedMaxAge()).isEqualTo(2);
        assertThat(all.minFresh()).isEqualTo(3);
        assertThat(all.maxStale()).isEqualTo(4);
        assertThat(all.staleWhileRevalidate()).isEqualTo(5);
        assertThat(all.staleIfError()).isEqualTo(6);
    }

    @Test
    void readsDirectivesThatAreSeparatedBySemicolons() {
        assertThat(parse("private; max-age=60").isPrivate()).isTrue();
        assertThat(parse("no-cache; no-store").noStore()).isTrue();
        assertThat(parse("max-age=60; private").isPrivate()).isTrue();
        assertThat(parse("max-age=60; private").maxAge()).isZero();
        assertThat(parse("ext=\"a; no-store\", max-age=60").noStore()).isFalse();
        assertThat(parse(";;, ;max-age=60").maxAge()).isEqualTo(60);
    }

    @Test
    void hasNoDirectivesWithoutAField() {
        CacheControl none = parse();
        assertThat(none.noStore()).isFalse();
        assertThat(none.maxAge()).isEqualTo(CacheControl.ABSENT);
        assertThat(none.permitsSharing()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-age=60 | 60",
                "Max-Age=60 | 60",
                "max-age=\"60\" | 60",
                "max-age=0060 | 60",
                "max-age=60, max-age=60 | 60",
                "foo=bar,max-age=60 | 60",
                ",, ,max-age=60,, | 60",
                "ext=\"max-age=1, no-store\", max-age=60 | 60",
                "ext=\"a\\\"max-age=1, b\", max-age=60 | 60",
                "max-age=2147483647 | 2147483647",
                "max-age=2147483648 | 2147483648",
                "max-age=2147483649 | 2147483648",
                "max-age=99999999999999999999999999 | 2147483648",
            })
    void readsLifetimes(String field, long seconds) {
        assertThat(parse(field).maxAge()).isEqualTo(seconds);
    }

    /** A cache is encouraged to consider responses with invalid freshness to be stale (RFC 9111, 4.2.1). */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "max-age",
                "max-age=",
                "max-age=abc",
                "max-age=-60",
                "max-age=60.0",
                "max-age='60'",
                "max-age=60s",
                "max-age=\"60",
                "max-age =60",
                "max-age= 60",
                "max-age=\"60\"1",
                "max-age=60 70",
                "max-age=60, max-age=61",
                "max-age=60, max-age=x",
            })
    void treatsMalformedAndContradictingLifetimesAsZero(String field) {
        assertThat(parse(field).maxAge()).isZero();
    }

    @Test
    void findsContradictionsInSeparateLines() {
        assertThat(parse("max-age=60", "max-age=3600").maxAge()).isZero();
    }

    @Test
    void ignoresDirectivesInsideOfQuotes() {
        CacheControl quoted = parse("ext=\"no-store, private, max-age=5\"");
        assertThat(quoted.noStore()).isFalse();
        assertThat(quoted.isPrivate()).isFalse();
        assertThat(quoted.maxAge()).isEqualTo(CacheControl.ABSENT);
    }

    @Test
    void treatsDirectivesWithFieldNamesLikeThoseWithout() {
        CacheControl named = parse("no-cache=\"set-cookie, x-a\", private=x-b, max-age=5");
        assertThat(named.noCache()).isTrue();
        assertThat(named.isPrivate()).isTrue();
        assertThat(named.maxAge()).isEqualTo(5);
    }

    @Test
    void readsMaxStaleWithoutAValueAsAnyTime() {
        assertThat(parse("max-stale").maxStale()).isEqualTo(CacheControl.MOST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"public", "s-maxage=1", "must-revalidate", "proxy-revalidate"})
    void permitsSharingOfResponsesToRequestsWithCredentials(String field) {
        assertThat(parse(field).permitsSharing()).isTrue();
    }
}
