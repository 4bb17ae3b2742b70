package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lifetimes and ages (RFC 9111, 4.2). */
class FreshnessTest {
    private static final long NOW = 1_800_000_000L;
    private static final long NANOS = TimeUnit.DAYS.toNanos(9);

    private static String date(long offset) {
        return HttpTime.format(NOW + offset);
    }

    private static HttpHeaders headers(String... namesAndValues) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return headers;
    }

    private static Freshness of(Freshness.Settings settings, int status, HttpHeaders headers) {
        CacheControl directives = TargetedFields.of(headers, List.of("cdn-cache-control"));
        return Freshness.of(directives, headers, status, settings, new Freshness.Times(NANOS, NANOS, NOW));
    }

    private static long lifetime(String... namesAndValues) {
        return of(Freshness.Settings.NONE, 200, headers(namesAndValues)).lifetime();
    }

    private static long age(String... namesAndValues) {
        return of(Freshness.Settings.NONE, 200, headers(namesAndValues)).age(NANOS);
    }

    private static long later(long seconds) {
        return NANOS + TimeUnit.SECONDS.toNanos(seconds);
    }

    // ---- lifetime

    @Test
    void prefersTheLifetimeForSharedCachesAndThenMaxAgeAndThenExpires() {
        String expires = date(30);
        assertThat(lifetime("cache-control", "max-age=20, s-maxage=10", "date", date(0), "expires", expires))
                .isEqualTo(10);
        assertThat(lifetime("cache-control", "max-age=20", "date", date(0), "expires", expires))
                .isEqualTo(20);
        assertThat(lifetime("date", date(0), "expires", expires)).isEqualTo(30);
    }

    @Test
    void measuresExpiresFromTheDateOfTheOrigin() {
        assertThat(lifetime("date", date(-3600), "expires", date(-3000))).isEqualTo(600);
        assertThat(lifetime("date", date(3600), "expires", date(3660))).isEqualTo(60);
        assertThat(lifetime("expires", date(60))).isEqualTo(60);
    }

    @Test
    void treatsMalformedPastAndContradictingExpiresAsZero() {
        assertThat(lifetime("date", date(0), "expires", "0")).isZero();
        assertThat(lifetime("date", date(0), "expires", "")).isZero();
        assertThat(lifetime("date", date(0), "expires", date(-1))).isZero();
        assertThat(lifetime("date", date(0), "expires", date(60), "expires", date(120)))
                .isZero();
    }

    @Test
    void ignoresExpiresBesideATargetedField() {
        assertThat(lifetime("cdn-cache-control", "max-age=5", "date", date(0), "expires", date(60)))
                .isEqualTo(5);
        assertThat(lifetime("cdn-cache-control", "public", "date", date(0), "expires", date(60)))
                .isZero();
    }

    @Test
    void estimatesATenthOfTheTimeSinceTheLastModificationAtMostADay() {
        assertThat(lifetime("date", date(0), "last-modified", date(-1000))).isEqualTo(100);
        assertThat(lifetime("date", date(0), "last-modified", date(-100_000_000)))
                .isEqualTo(86_400);
        assertThat(lifetime("date", date(0), "last-modified", date(100))).isZero();
        assertThat(lifetime("date", date(0))).isZero();
    }

    @Test
    void estimatesNoLifetimeForStatusesThatForbidIt() {
        HttpHeaders modified = headers("date", date(0), "last-modified", date(-1000));
        assertThat(of(Freshness.Settings.NONE, 302, modified).lifetime()).isZero();
        assertThat(of(Freshness.Settings.NONE, 404, modified).lifetime()).isEqualTo(100);
        modified.set("cache-control", "public");
        assertThat(of(Freshness.Settings.NONE, 302, modified).lifetime()).isEqualTo(100);
    }

    @Test
    void usesTheLifetimesOfTheRoute() {
        HttpHeaders stated = headers("cache-control", "max-age=20");
        Freshness.Settings byDefault = new Freshness.Settings(CacheControl.ABSENT, 7);
        assertThat(of(byDefault, 200, stated).lifetime()).isEqualTo(20);
        assertThat(of(byDefault, 200, headers()).lifetime()).isEqualTo(7);
        assertThat(of(byDefault, 302, headers()).lifetime()).isZero();
        assertThat(of(new Freshness.Settings(9, 7), 200, stated).lifetime()).isEqualTo(9);
    }

    // ---- age

    @Test
    void takesTheLargerOfTheStatedAndTheApparentAge() {
        assertThat(age("date", date(-50), "age", "20")).isEqualTo(50);
        assertThat(age("date", date(-50), "age", "70")).isEqualTo(70);
        assertThat(age()).isZero();
    }

    @Test
    void hasNoNegativeAgeIfTheClockOfTheOriginIsFast() {
        assertThat(age("date", date(5000))).isZero();
    }

    @Test
    void addsTheTimeBetweenRequestAndResponseToTheStatedAge() {
        HttpHeaders headers = headers("age", "20");
        CacheControl none = CacheControl.NONE;
        Freshness slow = Freshness.of(
                none,
                headers,
                200,
                Freshness.Settings.NONE,
                new Freshness.Times(NANOS - TimeUnit.SECONDS.toNanos(4), NANOS, NOW));
        assertThat(slow.age(NANOS)).isEqualTo(24);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "30 | 30",
                "30, 40 | 30",
                "abc | 0",
                "-30 | 0",
                "30.5 | 0",
                "30s | 0",
                "2147483648 | 2147483648",
                "2147483649 | 2147483648",
                "99999999999999999999 | 2147483648",
            })
    void readsTheFirstAgeAndIgnoresMalformedOnes(String field, long seconds) {
        assertThat(age("age", field)).isEqualTo(seconds);
    }

    @Test
    void agesByTheMonotonicClockAndNeverBeyondTheLargestAge() {
        Freshness fresh = of(Freshness.Settings.NONE, 200, headers("cache-control", "max-age=60", "age", "10"));
        assertThat(fresh.age(later(5))).isEqualTo(15);
        assertThat(fresh.remaining(later(5))).isEqualTo(45);
        assertThat(fresh.remaining(later(60))).isEqualTo(-10);
        assertThat(of(Freshness.Settings.NONE, 200, headers("age", "2147483648"))
                        .age(later(60)))
                .isEqualTo(CacheControl.MOST);
    }

    // ---- use

    @Test
    void isFreshUntilTheEndOfItsLifetime() {
        Freshness fresh = of(Freshness.Settings.NONE, 200, headers("cache-control", "max-age=60"));
        assertThat(fresh.isFresh(later(59), null)).isTrue();
        assertThat(fresh.isFresh(later(60), null)).isFalse();
    }

    @Test
    void isLessFreshForClientsThatDemandIt() {
        Freshness fresh = of(Freshness.Settings.NONE, 200, headers("cache-control", "max-age=60"));
        assertThat(fresh.isFresh(later(20), CacheControl.parse(List.of("max-age=20"))))
                .isTrue();
        assertThat(fresh.isFresh(later(21), CacheControl.parse(List.of("max-age=20"))))
                .isFalse();
        assertThat(fresh.isFresh(later(20), CacheControl.parse(List.of("min-fresh=39"))))
                .isTrue();
        assertThat(fresh.isFresh(later(20), CacheControl.parse(List.of("min-fresh=40"))))
                .isFalse();
    }
}
