package dev.lychgate.zuul;

import static dev.lychgate.zuul.ZuulGateway.filter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filters.testing.DialectTests;
import dev.lychgate.filters.testing.TestReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of filters of Zuul in the filter directory. */
class FilterTestsTest {
    @TempDir
    private Path dir = Path.of("");

    private TestReport run(Map<String, String> files) throws Exception {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = dir.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        return DialectTests.in(
                        dir,
                        null,
                        Set.of(),
                        Duration.ofSeconds(30),
                        ZuulGateway.dialect(Map.of("vips", Map.of("users-vip", "users"))))
                .run();
    }

    private static List<String> failures(TestReport report) {
        return report.files().stream()
                .flatMap(file -> file.outcomes().stream())
                .filter(outcome -> !outcome.isPassed())
                .map(outcome -> outcome.test() + ": " + outcome.failure())
                .toList();
    }

    @Test
    void testOfAFilterRunsItWithTheFiltersThatItNeeds() throws Exception {
        TestReport report = run(Map.of(
                "pre/Tenant.groovy",
                filter("Tenant", "pre", 1, """
                        if (ctx.request.getHeader('x-tenant') == null) {
                            ctx.setSendZuulResponse(false)
                            ctx.responseStatusCode = 401
                            ctx.responseBody = 'no tenant'
                        }
                        ctx.addZuulRequestHeader('x-checked', 'yes')
                        ctx.routeVIP = 'users-vip'"""),
                "pre/TenantTest.groovy",
                """
                import com.netflix.zuul.ZuulFilter

                test('a request without a tenant is refused') {
                    def result = get('/a').through(filter)
                    assert result.status == 401
                    assert result.text == 'no tenant'
                    assert result.sent == null
                }
                test('other requests are sent to the upstream of the VIP') {
                    def result = get('/a').upstreams('users').header('x-tenant', 'a').through(filter)
                    assert result.status == 200
                    assert result.sent.header('x-checked') == 'yes'
                    assert result.upstream == "users"
                }
                test('all filters run together') {
                    def result = get('/a').upstreams('users').header('x-tenant', 'a').through(filters.all)
                    assert result.header('x-served') == 'by Zuul'
                    assert ZuulFilter.name.endsWith('ZuulFilter')
                }
                """,
                "post/Served.groovy",
                filter("Served", "post", 1, "ctx.addZuulResponseHeader('x-served', 'by Zuul')"),
                "post/ServedTest.groovy",
                """
                test('the response names Zuul') {
                    assert get('/').origin(404, 'missing').through(filter).header('x-served') == 'by Zuul'
                }
                """));

        assertThat(failures(report)).isEmpty();
        assertThat(report.tests()).isEqualTo(4);
    }

    @Test
    void documentedTestPasses() throws Exception {
        TestReport report = run(Map.of(
                "pre/Authenticate.groovy", DocumentedFilter.block("groovy zuul"),
                "pre/AuthenticateTest.groovy", DocumentedFilter.block("groovy zuul-test")));

        assertThat(failures(report)).isEmpty();
        assertThat(report.tests()).isEqualTo(1);
    }
}
