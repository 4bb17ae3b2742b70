package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the dashboard and their responses. Tests in a browser cover their behavior. */
@Tag("slow")
class DashboardTest extends AdminAsked {
    private static final Path SOURCES = Path.of("src/main/resources/dashboard");
    private static final String LIBRARY = "lib/lit-html.js";

    private static List<String> paths() {
        return Stream.concat(
                        Stream.of(Dashboard.PATH), Dashboard.FILES.stream().map(file -> Dashboard.PATH + "/" + file))
                .toList();
    }

    private static String type(String path) {
        return path.endsWith(".js")
                ? "text/javascript; charset=utf-8"
                : path.endsWith(".css")
                        ? "text/css; charset=utf-8"
                        : path.endsWith(".svg") ? "image/svg+xml" : "text/html; charset=utf-8";
    }

    @Test
    void servesEachFileWithItsTypeAndAStrictPolicy() throws Exception {
        AdminServer server = guarded();
        for (String path : paths()) {
            RawMessage response = ask(server, get(path));

            assertThat(response.status()).as(path).isEqualTo(200);
            assertThat(response.body()).as(path).isNotEmpty();
            assertThat(response.value("content-type")).as(path).hasValue(type(path));
            assertThat(response.value("content-security-policy"))
                    .hasValue("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                            + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
            assertThat(response.value("x-content-type-options")).hasValue("nosniff");
            assertThat(response.value("referrer-policy")).hasValue("no-referrer");
            assertThat(response.value("cross-origin-resource-policy")).hasValue("same-origin");
            assertThat(response.value("cache-control")).hasValue("no-cache");
        }
    }

    @Test
    void respondsWith304ToABrowserWithTheCurrentFile() throws Exception {
        AdminServer server = guarded();
        for (String path : paths()) {
            String tag = ask(server, get(path)).value("etag").orElseThrow();

            RawMessage same = ask(server, get(path, "If-None-Match: " + tag));
            assertThat(same.status()).as(path).isEqualTo(304);
            assertThat(same.value("etag")).hasValue(tag);
            assertThat(ask(server, get(path, "If-None-Match: \"of-another-version\""))
                            .status())
                    .isEqualTo(200);
        }
        assertThat(paths().stream().map(path -> tag(server, path)).distinct()).hasSameSizeAs(paths());
    }

    private static String tag(AdminServer server, String path) {
        try {
            return ask(server, get(path)).value("etag").orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dashboard/index.html",
                "/dashboard/views",
                "/dashboard/views/",
                "/dashboard//app.js",
                "/dashboard/./app.js",
                "/dashboard/../dashboard/app.js",
                "/dashboard/%2e%2e/META-INF/NOTICE",
                "/dashboard/../META-INF/NOTICE",
                "/dashboard/../dev/lychgate/server/Main.class",
                "/dashboard/..%2f..%2fetc/passwd",
                "/dashboard/%61pp.js",
                "/dashboard/app.js%00",
                "/dashboard/app.js/",
                "/dashboard/APP.JS",
                "/dashboard/lib/lit-html.js.map",
                "/dashboardapp.js",
            })
    void servesOnlyListedFiles(String target) throws Exception {
        assertThat(ask(guarded(), get(target)).status())
                .as("not for unauthenticated clients")
                .isEqualTo(401);
        assertThat(ask(guarded(), get(target, bearer(TOKEN))).status()).isEqualTo(404);
    }

    @Test
    void isReadOnlyAndRedirectsToItsPath() throws Exception {
        AdminServer server = guarded();
        RawMessage slash = ask(server, get("/dashboard/"));
        assertThat(slash.status()).isEqualTo(308);
        assertThat(slash.value("location")).hasValue("../dashboard");
        assertThat(ask(server, post("/dashboard", bearer(TOKEN), "x-lychgate-admin: x"))
                        .status())
                .isEqualTo(405);
        assertThat(ask(server, get("/dashboard", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"))
                        .status())
                .as("not for pages of other sites")
                .isEqualTo(403);
        assertThat(ask(server, "GET /dashboard HTTP/1.1\r\nHost: rebound.example")
                        .status())
                .isEqualTo(421);
    }

    @Test
    void listsEveryFile() throws Exception {
        try (Stream<Path> found = Files.walk(SOURCES)) {
            List<String> files = found.filter(Files::isRegularFile)
                    .map(file -> SOURCES.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> !file.equals("index.html"))
                    .toList();
            assertThat(Dashboard.FILES.stream().filter(file -> !file.equals(LIBRARY)))
                    .containsExactlyInAnyOrderElementsOf(files);
        }
    }

    @Test
    void namesNoOtherHostAndHasNoScriptOrStyleWithinThePage() throws Exception {
        for (String file : Dashboard.FILES) {
            String text = resource(file);
            List<String> hosts = Pattern.compile("(?:https?:|wss?:)?//([a-z0-9-]+\\.[a-z]{2,})")
                    .matcher(text)
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertThat(hosts).as(file).allMatch(host -> host.equals("http://www.w3.org")); // the namespace of SVG
            if (file.endsWith(".js") && !file.equals(LIBRARY)) {
                assertThat(text).as(file).doesNotContain("innerHTML", "eval(", "Function(", " style=", "unsafeHTML");
                assertThat(imports(text)).as(file).allMatch(from -> from.startsWith("./") || from.startsWith("../"));
            }
        }
        assertThat(resource("index.html"))
                .doesNotContain("//", "<style", " style=", " on")
                .containsOnlyOnce("<script")
                .contains("<script type=\"module\" src=\"dashboard/app.js\"></script>");
    }

    private static List<String> imports(String module) {
        return Pattern.compile("from \"([^\"]+)\"")
                .matcher(module)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static String resource(String file) throws Exception {
        try (InputStream content = Dashboard.class.getResourceAsStream("/dashboard/" + file)) {
            assertThat(content).as(file).isNotNull();
            return new String(content.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
