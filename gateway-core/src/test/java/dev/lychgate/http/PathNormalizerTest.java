package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PathPolicy;
import dev.lychgate.testing.Rfc;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class PathNormalizerTest {
    private static final PathPolicy STRICT = PathPolicy.STRICT;
    private static final PathPolicy LENIENT = new PathPolicy(true, true, true, true, true, true);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a",
                "/a/",
                "/a/b.c/d-e_f~g",
                "/.well-known/x",
                "/..a/...",
                "/a;v=1/b",
                "/%20/%25/%C3%A9",
                "/a!$&'()*+,;=:@",
                "/%252e%252e/x"
            })
    @Rfc("3986, 6.2.2")
    void returnsTheSameInstanceForAPathInNormalForm(String path) {
        String fresh = new String(path.toCharArray());
        assertThat(PathNormalizer.normalize(fresh, STRICT)).isSameAs(fresh);
        assertThat(PathNormalizer.refusal(fresh, STRICT)).isNull();
    }

    /** In RFC 3986, 5.2.4 the dot segment removes the empty one; in servers that merge slashes first, the segment before it. */
    @ParameterizedTest
    @CsvSource({
        "/admin//../x, true",
        "//%2e%2E/x, true",
        "/a//b/.., true",
        "/a/..//b, false",
        "/a/../b, false",
        "/a//b, false",
        "/a//..b, false"
    })
    @Rfc("3986, 5.2.4")
    void tellsWhereServersDifferInWhatAPathMeans(String raw, boolean ambiguous) {
        assertThat(PathNormalizer.isAmbiguous(raw)).isEqualTo(ambiguous);
    }

    @ParameterizedTest(name = "RFC {0}: {1}, {2}")
    @CsvSource({
        "'3986, 6.2.2.2', /%61%2D%5a%7E, /a-Z~",
        "'3986, 6.2.2.1', /%c3%a9%3b, /%C3%A9%3B",
        "'3986, 2.4', /%2525, /%2525",
        "'3986, 2.4', /%25%32%65, /%252e",
        "'3986, 2.1', '/a|b{c}\"<>^`[]', /a%7Cb%7Bc%7D%22%3C%3E%5E%60%5B%5D"
    })
    void decodesUnreservedCharactersOnceAndWritesTheOtherEncodingsInUpperCase(
            String section, String raw, String normal) {
        assertThat(PathNormalizer.normalize(raw, STRICT)).isEqualTo(normal);
    }

    @ParameterizedTest
    @CsvSource({
        "/a/./b, /a/b",
        "/a/../b, /b",
        "/a/b/.., /a/",
        "/a/b/., /a/b/",
        "/a/b/../, /a/",
        "/., /",
        "/./, /",
        "/a/.., /",
        "/a/%2e%2E/b, /b",
        "/a/.%2e/b, /b",
        "/a/%2E, /a/",
        "/a/..b, /a/..b",
        "/a/.../b, /a/.../b",
        "/a/b/c/../../d, /a/d"
    })
    @Rfc({"3986, 5.2.4", "3986, 6.2.2.3"})
    void removesDotSegmentsHoweverTheyAreWritten(String raw, String normal) {
        assertThat(PathNormalizer.normalize(raw, STRICT)).isEqualTo(normal);
    }

    @ParameterizedTest
    @CsvSource({"//, /", "//a//b///, /a/b/", "/a//../b, /b", "//evil.example/x, /evil.example/x", "/a/..//b, /b"})
    void mergesSlashesBeforeItRemovesDotSegments(String raw, String normal) {
        assertThat(PathNormalizer.normalize(raw, STRICT)).isEqualTo(normal);
    }

    @ParameterizedTest(name = "RFC {0}: {1}, {2}")
    @CsvSource({
        "'9112, 3.2.1', '', does not begin",
        "'9112, 3.2.1', a/b, does not begin",
        "'9112, 3.2.1', *, does not begin",
        "'3986, 2.1', /a%, percent sign",
        "'3986, 2.1', /a%2, percent sign",
        "'3986, 2.1', /%zz, percent sign",
        "'3986, 2.1', /%u002e, percent sign",
        "'3986, 3.3', /a b, is not allowed",
        "'3986, 3.3', /a#b, is not allowed",
        "'3986, 3.3', /a?b, is not allowed",
        "'3986, 7.3', /a%2fb, encoded slash",
        "'3986, 7.3', /a/..%2Fb, encoded slash",
        "'3986, 3.3', /a\\b, backslash",
        "'3986, 7.3', /a%5cb, backslash",
        "'3986, 7.3', /a%00, control byte",
        "'3986, 7.3', /a%0d%0aX: y, control byte",
        "'3986, 7.3', /a%7f, control byte",
        "'3986, 7.3', /a/..;x/b, dot segment with parameters",
        "'3986, 7.3', /a/.;/b, dot segment with parameters",
        "'3986, 7.3', /a/%2e%2e;, dot segment with parameters",
        "'3986, 7.3', /a/..%3Bx, dot segment with parameters",
        "'3986, 7.3', /x/;/../admin, a dot segment after a segment",
        "'3986, 7.3', /x/%3bv=1/%2e%2e/admin, a dot segment after a segment",
        "'3986, 7.3', /a/b/;/../../admin, a dot segment after a segment",
        "'3986, 7.3', /x/;/../admin, a dot segment after a segment",
        "'3986, 7.3', /x/%3bv=1/%2e%2e/admin, a dot segment after a segment",
        "'3986, 7.3', /a/b/;/../../admin, a dot segment after a segment",
        "'3986, 5.4.2', /.., above the root",
        "'3986, 5.4.2', /../a, above the root",
        "'3986, 5.4.2', /a/../../b, above the root",
        "'3986, 5.4.2', /a//../.., above the root",
        "'3986, 5.4.2', /%2e%2e/a, above the root",
        "'3629, 10', /%C0%AF, overlong",
        "'3629, 10', /%c1%9c, overlong",
        "'3629, 10', /%E0%80%AF, overlong",
        "'3629, 10', /%F0%80%80%AF, overlong"
    })
    void refusesWhatHasNoSafeNormalForm(String section, String raw, String reason) {
        assertThat(PathNormalizer.normalize(raw, STRICT)).isNull();
        assertThat(PathNormalizer.refusal(raw, STRICT)).contains(reason);
    }

    @Test
    @Rfc("3986, 3.3")
    void refusesRawControlBytesAndRawBytesOutsideAscii() {
        for (char c : new char[] {0, '\t', '\r', '\n', 0x1b, 0x7f}) {
            assertThat(PathNormalizer.refusal("/a" + c, STRICT)).contains("control byte");
        }
        assertThat(PathNormalizer.refusal("/a\u00e9", STRICT)).contains("outside ASCII");
        assertThat(PathNormalizer.refusal("/a\u2025", LENIENT)).contains("is not allowed");
    }

    @Test
    @Rfc("3986, 2.4")
    void neverDecodesAcceptedPaths() {
        assertThat(PathNormalizer.normalize("/a%2fb", policy(0))).isEqualTo("/a%2Fb");
        assertThat(PathNormalizer.normalize("/a/..%2fb", policy(0))).isEqualTo("/a/..%2Fb");
        assertThat(PathNormalizer.normalize("/a\\b%5c", policy(1))).isEqualTo("/a%5Cb%5C");
        assertThat(PathNormalizer.normalize("/a%0d%00", policy(2))).isEqualTo("/a%0D%00");
        assertThat(PathNormalizer.normalize("/a/%2e.;x/b", policy(3))).isEqualTo("/a/..;x/b");
        assertThat(PathNormalizer.normalize("/../../a", policy(4))).isEqualTo("/a");
        assertThat(PathNormalizer.normalize("/a/../..", policy(4))).isEqualTo("/");
        assertThat(PathNormalizer.normalize("/\u00c3\u00a9%c0", policy(5))).isEqualTo("/%C3%A9%C0");
    }

    @Test
    void eachPolicyAcceptsItsOwnPathsOnly() {
        String[] unsafe = {"/a%2fb", "/a\\b", "/a%00", "/a/..;x", "/..", "/\u00e9"};
        for (int open = 0; open < unsafe.length; open++) {
            for (int i = 0; i < unsafe.length; i++) {
                assertThat(PathNormalizer.normalize(unsafe[i], policy(open)) != null)
                        .as("switch %d, path %d", open, i)
                        .isEqualTo(open == i);
            }
        }
    }

    @Test
    @Rfc("3986, 3.3")
    void refusesRawControlBytesUnderEveryPolicy() {
        assertThat(PathNormalizer.normalize("/a\n", LENIENT)).isNull();
    }

    @Test
    @Rfc("3986, 6.2.2")
    void isAFixedPointAndLeavesNothingUnsafeBehind() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(20260101);
        String[] pieces = {
            "/", "/", "/", ".", ".", "..", "%2e", "%2E", "%2f", "%5c", "\\", ";", "%3b", "%", "%25", "25", "2e", "a",
            "B", "%61", "%c3", "%C0", "%af", "%00", "\u00e9", " ", "{", "%7b", "~", "%7e"
        };
        int accepted = 0;
        for (int round = 0; round < 200_000; round++) {
            StringBuilder raw = new StringBuilder("/");
            for (int n = random.nextInt(8); n > 0; n--) {
                raw.append(pieces[random.nextInt(pieces.length)]);
            }
            PathPolicy policy = round % 2 == 0 ? STRICT : randomPolicy(random);
            String path = raw.toString();
            String normal = PathNormalizer.normalize(path, policy);
            assertThat(PathNormalizer.refusal(path, policy) == null).as(path).isEqualTo(normal != null);
            if (normal == null) {
                continue;
            }
            accepted++;
            assertThat(PathNormalizer.normalize(normal, policy)).as(path).isSameAs(normal);
            assertThat(normal).as(path).startsWith("/").doesNotContain("//").matches("[\\x21-\\x7e]+");
            assertThat(normal + "/").as(path).doesNotContain("/./").doesNotContain("/../");
            if (policy.equals(STRICT)) {
                assertThat(normal).as(path).doesNotContainPattern("(?i)%2f|%5c|%00|\\\\|/\\.\\.?(;|%3b)");
            }
        }
        assertThat(accepted).isGreaterThan(20_000);
    }

    private static PathPolicy policy(int open) {
        return new PathPolicy(open == 0, open == 1, open == 2, open == 3, open == 4, open == 5);
    }

    private static PathPolicy randomPolicy(RandomGenerator random) {
        return new PathPolicy(
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean());
    }
}
