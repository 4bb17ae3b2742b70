package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ParameterPolicy;
import dev.lychgate.config.PathPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathParametersTest {
    @ParameterizedTest
    @CsvSource({
        "/admin;a=b/x, /admin/x",
        "/admin%3Ba/x, /admin/x",
        "/;x/admin/x, /admin/x",
        "/%3B/admin, /admin",
        "/admin;, /admin",
        "/admin;x/, /admin/",
        "/a;b/c;d;e/f, /a/c/f",
        "/x/..;/admin, /admin",
        "/x/.;y/admin, /x/admin",
        "/..;/..;/admin, /admin",
        "/;, /",
        "/a%253Bb, /a%253Bb",
        "/a/b, /a/b"
    })
    void stripsAsServersDoThatRemoveParametersBeforeDotSegments(String path, String stripped) {
        assertThat(PathParameters.strip(path)).isEqualTo(stripped);
        assertThat(PathParameters.present(path)).isEqualTo(!path.equals(stripped));
    }

    @Test
    void theRefusingPolicyRejectsAllParametersAndNothingElse() {
        PathPolicy refusing = new PathPolicy(true, true, true, true, true, true, ParameterPolicy.REFUSE);
        for (String path : new String[] {"/a;b", "/a%3bb", "/a%3Bb", "/;", "/a//b;c", "/a/..;/b"}) {
            assertThat(PathNormalizer.normalize(path, refusing)).as(path).isNull();
            assertThat(PathNormalizer.refusal(path, refusing)).as(path).isEqualTo("The path has parameters.");
        }
        for (String path : new String[] {"/a", "/a=b,c", "/a%253Bb"}) {
            assertThat(PathNormalizer.normalize(path, refusing)).as(path).isEqualTo(path);
            assertThat(PathNormalizer.refusal(path, refusing)).as(path).isNull();
        }
    }
}
