package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The decision whether a shared cache may store a response (RFC 9111, 3). */
class StorabilityTest {
    private static final Storability.Rules RULES =
            new Storability.Rules(Set.of(), 1000, false, false, Freshness.Settings.NONE);

    private static ResponseHead response(int status, String... fields) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (String field : fields) {
            int colon = field.indexOf(": ");
            headers.add(field.substring(0, colon), field.substring(colon + 2));
        }
        return new ResponseHead(status, headers);
    }

    private static Storability of(boolean credentials, String path, ResponseHead response, Storability.Rules rules) {
        return Storability.of(
                null, credentials, path, response, TargetedFields.of(response.headers(), List.of()), rules);
    }

    private static Storability of(int status, String... fields) {
        return of(false, "/a", response(status, fields), RULES);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 403, 404, 410, 414, 418, 500, 501, 503, 599})
    void storesAllFinalStatusesWithAnExplicitLifetime(int status) {
        assertThat(of(status, "cache-control: max-age=60")).isEqualTo(Storability.STORED);
    }

    @ParameterizedTest
    @ValueSource(ints = {205, 206, 304, 412, 416, 417, 421, 425, 428, 429, 431, 511})
    void neverStoresStatusesThatDescribeTheRequestOrAPart(int status) {
        assertThat(of(status, "cache-control: max-age=60")).isEqualTo(Storability.STATUS);
    }

    @ParameterizedTest
    @CsvSource({"200, STORED", "404, STORED", "302, LIFETIME", "500, LIFETIME", "599, LIFETIME"})
    void needsALifetimeUnlessTheStatusPermitsAnEstimate(int status, Storability expected) {
        assertThat(of(status, "last-modified: x")).isEqualTo(expected);
    }

    /** Otherwise, one failure of the origin would be sent to all clients for the lifetime of the route. */
    @ParameterizedTest
    @ValueSource(ints = {302, 400, 401, 403, 500, 502, 503, 504})
    void doesNotApplyTheLifetimesOfTheRouteToTemporaryStatuses(int status) {
        Freshness.Settings lifetimes = new Freshness.Settings(60, 60);
        Storability.Rules all = new Storability.Rules(Set.of(), 1000, false, false, lifetimes);
        assertThat(of(false, "/a", response(status), all)).isEqualTo(Storability.LIFETIME);
        assertThat(of(false, "/a", response(200), all)).isEqualTo(Storability.STORED);
        Storability.Rules listed = new Storability.Rules(Set.of(status), 1000, false, false, lifetimes);
        assertThat(of(false, "/a", response(status), listed)).isEqualTo(Storability.STORED);
    }

    @Test
    void needsALifetimeOrAValidator() {
        assertThat(of(200)).isEqualTo(Storability.LIFETIME);
        assertThat(of(200, "etag: \"a\"")).isEqualTo(Storability.STORED);
        assertThat(of(200, "expires: 0")).isEqualTo(Storability.STORED);
    }

    @ParameterizedTest
    @CsvSource({
        "no-store, NO_STORE",
        "private, PRIVATE",
        "private=\"x-a\", PRIVATE",
        "no-cache, STORED",
        "must-understand, STORED",
    })
    void obeysTheDirectivesOfTheResponse(String directive, Storability expected) {
        assertThat(of(200, "etag: \"a\"", "cache-control: max-age=60, " + directive))
                .isEqualTo(expected);
    }

    @Test
    void ignoresNoStoreOnlyBesideMustUnderstandAndWithAKnownStatus() {
        String both = "cache-control: max-age=60, no-store, must-understand";
        assertThat(of(200, both)).isEqualTo(Storability.STORED);
        assertThat(of(599, both)).isEqualTo(Storability.STATUS);
    }

    @Test
    void obeysNoStoreOfTheRequest() {
        ResponseHead response = response(200, "cache-control: max-age=60");
        CacheControl request = CacheControl.parse(List.of("no-store"));
        assertThat(Storability.of(request, false, "/a", response, CacheControl.parse(List.of("max-age=60")), RULES))
                .isEqualTo(Storability.NO_STORE_OF_CLIENT);
    }

    @ParameterizedTest
    @CsvSource({
        "max-age=60, CREDENTIALS",
        "s-maxage=60, STORED",
        "'public, max-age=60', STORED",
        "'must-revalidate, max-age=60', STORED",
        "'private, public, max-age=60', PRIVATE",
    })
    void storesResponsesToRequestsWithCredentialsOnlyIfTheyPermitIt(String directives, Storability expected) {
        ResponseHead response = response(200, "cache-control: " + directives);
        assertThat(of(true, "/a", response, RULES)).isEqualTo(expected);
    }

    @Test
    void ignoresCredentialsIfTheRouteDoes() {
        Storability.Rules rules = new Storability.Rules(Set.of(), 1000, false, true, Freshness.Settings.NONE);
        assertThat(of(true, "/a", response(200, "cache-control: max-age=60"), rules))
                .isEqualTo(Storability.STORED);
    }

    @Test
    void storesNoCookiesUnlessTheRoutePermitsIt() {
        ResponseHead response = response(200, "cache-control: max-age=60", "set-cookie: a=b");
        assertThat(of(false, "/a", response, RULES)).isEqualTo(Storability.SET_COOKIE);
        Storability.Rules rules = new Storability.Rules(Set.of(), 1000, true, false, Freshness.Settings.NONE);
        assertThat(of(false, "/a", response, rules)).isEqualTo(Storability.STORED);
    }

    @Test
    void storesOnlyConfiguredStatuses() {
        Storability.Rules rules = new Storability.Rules(Set.of(200), 1000, false, false, Freshness.Settings.NONE);
        assertThat(of(false, "/a", response(200, "cache-control: max-age=60"), rules))
                .isEqualTo(Storability.STORED);
        assertThat(of(false, "/a", response(404, "cache-control: max-age=60"), rules))
                .isEqualTo(Storability.STATUS);
    }

    @Test
    void storesNoBodyThatIsTooLongOrEndsWithTheConnection() {
        ResponseHead response = response(200, "cache-control: max-age=60");
        response.frame(BodyFraming.LENGTH, 1000);
        assertThat(of(false, "/a", response, RULES)).isEqualTo(Storability.STORED);
        response.frame(BodyFraming.LENGTH, 1001);
        assertThat(of(false, "/a", response, RULES)).isEqualTo(Storability.LENGTH);
        response.frame(BodyFraming.UNTIL_CLOSE, 0);
        assertThat(of(false, "/a", response, RULES)).isEqualTo(Storability.UNDELIMITED);
        response.frame(BodyFraming.CHUNKED, 0);
        assertThat(of(false, "/a", response, RULES)).isEqualTo(Storability.STORED);
    }

    @ParameterizedTest
    @CsvSource({
        "/account/x.css, text/html, DECEPTION",
        "/account/x.CSS, 'Text/HTML; charset=utf-8', DECEPTION",
        "/account/x.png, application/xhtml+xml, DECEPTION",
        "/account/x.css, application/json, DECEPTION",
        "/account/x.js, 'application/problem+json; charset=utf-8', DECEPTION",
        "/account/x.json, application/json, STORED",
        "/x.js.map, application/json, STORED",
        "/account;x.css, text/html, DECEPTION",
        "/account%2Fx.css, text/html, DECEPTION",
        "/account/x.css, text/css, STORED",
        "/account/x.html, text/html, STORED",
        "/account.css/x, text/html, STORED",
        "/account, text/html, STORED",
    })
    void storesNoPageUnderTheNameOfAStaticFile(String path, String type, Storability expected) {
        ResponseHead response = response(200, "cache-control: max-age=60", "content-type: " + type);
        assertThat(of(false, path, response, RULES)).isEqualTo(expected);
    }

    @Test
    void storesThePageThatReportsAMissingStaticFile() {
        ResponseHead response = response(404, "cache-control: max-age=60", "content-type: text/html");
        assertThat(of(false, "/x.css", response, RULES)).isEqualTo(Storability.STORED);
    }

    @Test
    void pageListsEveryReason() throws Exception {
        String page = Files.readString(Path.of("../docs/cache.md"));
        String table = page.substring(page.indexOf("| Rule |"), page.indexOf("An incomplete response"));
        List<String> listed = new ArrayList<>();
        for (String row :
                table.lines().skip(2).filter(line -> line.startsWith("|")).toList()) {
            String[] cells = row.split("\\|", -1);
            for (String label : cells[cells.length - 2].split(",", -1)) {
                listed.add(label.replace("`", "").strip());
            }
        }
        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Storability.values())
                        .filter(each -> each != Storability.STORED)
                        .map(Storability::label)
                        .toList());
    }
}
