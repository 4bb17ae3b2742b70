package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The request fields that select a response (RFC 9111, 4.1). */
class VaryTest {
    private static HttpHeaders headers(String... fields) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (String field : fields) {
            int colon = field.indexOf(':');
            headers.add(field.substring(0, colon), field.substring(colon + 1));
        }
        return headers;
    }

    private static Vary vary(HttpHeaders response, HttpHeaders request) {
        return Objects.requireNonNull(Vary.of(response, request, request));
    }

    @Test
    void matchesAllRequestsWithoutTheField() {
        assertThat(vary(headers(), headers("accept:a")).matches(headers("accept:b")))
                .isTrue();
    }

    @Test
    void matchesOnlyRequestsWithTheSameValues() {
        Vary vary = vary(headers("vary:Accept, X-A", "vary:x-b,"), headers("accept:a", "x-a:1"));
        assertThat(vary.matches(headers("Accept:a", "X-A:1"))).isTrue();
        assertThat(vary.matches(headers("accept:b", "x-a:1"))).isFalse();
        assertThat(vary.matches(headers("accept:a"))).isFalse();
        assertThat(vary.matches(headers("accept:a", "x-a:1", "x-b:2"))).isFalse();
    }

    @Test
    void comparesValuesWithoutWhiteSpaceAndDivisionIntoLines() {
        Vary vary = vary(headers("vary:x-a"), headers("x-a:1, 2"));
        assertThat(vary.matches(headers("x-a:1", "x-a:2"))).isTrue();
        assertThat(vary.matches(headers("x-a:1 ,2"))).isTrue();
        assertThat(vary.matches(headers("x-a:2, 1"))).isFalse();
        assertThat(vary.matches(headers("x-a:12"))).isFalse();
    }

    @Test
    void keepsWhiteSpaceOfQuotedTexts() {
        Vary vary = vary(headers("vary:x-a"), headers("x-a:\"1, 2\""));
        assertThat(vary.matches(headers("x-a:\"1,2\""))).isFalse();
        assertThat(vary.matches(headers("x-a:\"1, 2\""))).isTrue();
    }

    @Test
    void distinguishesAnEmptyFieldFromAMissingOne() {
        Vary vary = vary(headers("vary:x-a"), headers("x-a:"));
        assertThat(vary.matches(headers("x-a:"))).isTrue();
        assertThat(vary.matches(headers())).isFalse();
    }

    @Test
    void selectsNoResponseThatVariesOnEverything() {
        assertThat(Vary.of(headers("vary:*"), headers(), headers())).isNull();
        assertThat(Vary.of(headers("vary:accept, *"), headers(), headers())).isNull();
        assertThat(Vary.of(headers("vary:accept", "vary:*"), headers(), headers()))
                .isNull();
    }

    @Test
    void selectsNoResponseThatVariesOnAFieldOfTheGateway() {
        HttpHeaders forwarded = headers("x-forwarded-for:203.0.113.7", "x-forwarded-proto:https");
        assertThat(Vary.of(headers("vary:x-forwarded-for"), headers(), forwarded))
                .isNull();
        assertThat(Vary.of(headers("vary:x-forwarded-proto"), headers(), forwarded))
                .isEqualTo(Vary.NONE);
    }
}
