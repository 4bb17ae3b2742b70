package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.RedactConfig;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    private final Redaction redaction = Redaction.USUAL;

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "token=abc token=***",
                "a=1&token=abc&b=2 a=1&token=***&b=2",
                "token=a&token=b&token=c token=***&token=***&token=***",
                "TOKEN=abc TOKEN=***",
                "%74oken=abc %74oken=***",
                "%54%6F%6b%65N=abc %54%6F%6b%65N=***",
                "access%5Ftoken=abc access%5Ftoken=***",
                "access-token=abc access-token=***",
                "access.token=abc access.token=***",
                "access+token=abc access+token=***",
                "accessToken=abc accessToken=***",
                "AccessToken=abc AccessToken=***",
                "user[accessToken]=abc user[accessToken]=***",
                "+token=abc +token=***",
                "%20token=abc %20token=***",
                "token==abc== token=***",
                "token=abc;b=2&c=3 token=***&c=3",
                "a=1;token=abc;b=2 a=1;token=***",
                "a=1;token=abc&b=2 a=1;token=***&b=2",
                "token=x?y#z&b=2 token=***&b=2",
                "next=/login?token=abc&b=2 next=/login?token=***&b=2",
                "?token=abc ?token=***",
                "&&token=abc&& &&token=***&&",
                "user[password]=abc user[password]=***",
                "user%5bpassword%5D=abc user%5bpassword%5D=***",
                "a[b][password][]=abc a[b][password][]=***",
                "token[]=abc&token[0]=d token[]=***&token[0]=***",
                "password]=abc password]=***",
                "X-Amz-Signature=abc X-Amz-Signature=***",
                "token=*** token=***",
            })
    void masksTheValuesOfListedParameters(String query, String masked) {
        assertThat(redaction.query(query)).isEqualTo(masked);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a=b",
                "token",
                "token=",
                "token=&a=b",
                "=token",
                "=",
                "&",
                "tokens=abc",
                "mytoken=abc",
                "a=token",
                "a=token=abc",
                "tok%en=abc",
                "tok%6=abc",
                "%=abc",
                "%7=a",
                "t%C3%B6ken=abc",
                "token%00=abc",
                "token%3Dabc",
                "[]=abc",
                "[=abc",
                "user[name]=abc",
                "next=%2Flogin%3Ftoken%3Dabc"
            })
    void leavesTheRestAsItIs(String query) {
        assertThat(redaction.query(query)).isSameAs(query);
    }

    @Test
    void acceptsTargetsWithoutAQuery() {
        assertThat(redaction.query(null)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "https://a.example/cb?code=abc&state=x https://a.example/cb?code=***&state=x",
                "https://a.example/cb#access_token=abc https://a.example/cb#access_token=***",
                "/cb?a=1#token=abc /cb?a=1#token=***",
                "/a?b=1?token=abc /a?b=1?token=***"
            })
    void masksParametersInWhatLooksLikeAUrl(String url, String masked) {
        assertThat(redaction.url(url)).isEqualTo(masked);
        assertThat(redaction.field("Location", url)).isEqualTo(masked);
    }

    @Test
    void leavesOtherTextsAsTheyAre() {
        String text = "token=abc, no URL";
        assertThat(redaction.url(text)).isSameAs(text);
    }

    @Test
    void masksFieldsInAnyCase() {
        assertThat(redaction.hides("AUTHORIZATION")).isTrue();
        assertThat(redaction.field("Set-Cookie", List.of("a=b", "c=d"))).isEqualTo("***");
        assertThat(redaction.field("X-Tenant", List.of("a", "b"))).isEqualTo("a, b");
        assertThat(redaction.hides("authorization2")).isFalse();
    }

    @Test
    void masksConfiguredNamesInsteadOfTheDefaults() {
        Redaction own = new Redaction(new RedactConfig(List.of("X-Tenant"), List.of("User[Name]", "k")));

        assertThat(own.hides("x-tenant")).isTrue();
        assertThat(own.hides("authorization")).isFalse();
        assertThat(own.query("user[name]=abc&k=d&token=e")).isEqualTo("user[name]=***&k=***&token=e");
        assertThat(new Redaction(new RedactConfig(List.of(), List.of())).query("token=a"))
                .isEqualTo("token=a");
    }

    @Test
    void allocatesNothingWhereNothingIsMasked() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        String query = "q=caf%C3%A9&page=2;x&user[name]=abc&%zz=1&sort";
        String referer = "https://a.example/list?page=2#top";
        long looked = 0;
        for (int i = 0; i < 1000; i++) {
            looked += look(query, referer);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 10_000; i++) {
            looked += look(query, referer);
        }
        long spent = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(looked).isEqualTo(11_000L * (query.length() + referer.length()));
        // The JVM itself allocates on this thread: less than a byte for each.
        assertThat(spent).isLessThan(10_000);
    }

    private int look(String query, String referer) {
        return String.valueOf(redaction.query(query)).length()
                + redaction.url(referer).length();
    }
}
