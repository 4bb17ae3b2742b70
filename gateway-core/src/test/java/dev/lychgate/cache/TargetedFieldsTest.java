package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Targeted cache control (RFC 9213). */
class TargetedFieldsTest {
    private static final List<String> TARGETS = List.of("gate-cache-control", "cdn-cache-control");

    private static CacheControl of(String... fields) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (String field : fields) {
            int colon = field.indexOf(": ");
            headers.add(field.substring(0, colon), field.substring(colon + 2));
        }
        return TargetedFields.of(headers, TARGETS);
    }

    @Test
    void prefersTheFirstTargetAndThenCacheControl() {
        assertThat(of("CDN-Cache-Control: max-age=5", "Gate-Cache-Control: max-age=7", "Cache-Control: max-age=9")
                        .maxAge())
                .isEqualTo(7);
        assertThat(of("CDN-Cache-Control: max-age=5", "Cache-Control: max-age=9")
                        .maxAge())
                .isEqualTo(5);
        assertThat(of("Cache-Control: max-age=9").maxAge()).isEqualTo(9);
    }

    @Test
    void ignoresAllDirectivesOfCacheControlBesideATargetedField() {
        CacheControl targeted = of("CDN-Cache-Control: max-age=5", "Cache-Control: no-store, private");
        assertThat(targeted.isTargeted()).isTrue();
        assertThat(targeted.noStore()).isFalse();
        assertThat(targeted.isPrivate()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "max-age=",
                "max-age=5,",
                "Max-Age=5",
                "max-age=5;",
                "max-age=5 no-store",
                "max-age = 5",
                "&max-age=5",
                "max-age=5, x=\"a",
                "max-age=5, x=(a b",
                "max-age=5, x=?2",
                "max-age=1234567890123456",
                "max-age=5, x=:a",
                "max-age=5, x=1.",
            })
    void usesCacheControlIfTheTargetedFieldIsEmptyOrMalformed(String field) {
        CacheControl directives = of("CDN-Cache-Control: " + field, "Cache-Control: max-age=9");
        assertThat(directives.isTargeted()).isFalse();
        assertThat(directives.maxAge()).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max-age=5",
                "max-age=5;a;b=c;d=\"e\\\"\"",
                "max-age=9, max-age=5",
                "no-cache=?0, max-age=5",
                "x=(a b;c \"d\");e, max-age=5",
                "x=:YQ==:, y=1.5, z=?1, a=@5, b=*t/o:k, max-age=5",
                "a,  b\t,\tmax-age=5",
            })
    void readsDictionariesWithParametersAndOtherMembers(String field) {
        CacheControl directives = of("CDN-Cache-Control: " + field, "Cache-Control: max-age=9");
        assertThat(directives.isTargeted()).isTrue();
        assertThat(directives.maxAge()).isEqualTo(5);
        assertThat(directives.noCache()).isFalse();
    }

    @Test
    void ignoresLifetimesThatAreNotIntegersAndKeepsRestrictions() {
        CacheControl directives = of("CDN-Cache-Control: max-age=\"5\", no-store, private=\"x-a\"");
        assertThat(directives.maxAge()).isEqualTo(CacheControl.ABSENT);
        assertThat(directives.noStore()).isTrue();
        assertThat(directives.isPrivate()).isTrue();
    }

    @Test
    void joinsTheLinesOfAField() {
        CacheControl directives = of("CDN-Cache-Control: max-age=5", "CDN-Cache-Control: no-cache");
        assertThat(directives.maxAge()).isEqualTo(5);
        assertThat(directives.noCache()).isTrue();
    }
}
