package dev.lychgate.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields and the body of a response that a filter puts together. */
class FilterOutcomeTest {
    private static List<String> names(FilterOutcome.Respond respond) {
        return respond.headers().stream().map(Map.Entry::getKey).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"content-type", "Location", "RETRY-AFTER", "etag", "Access-Control-Allow-Origin"})
    void aSingletonFieldReplacesTheOneBeforeIt(String name) {
        FilterOutcome.Respond respond = FilterOutcome.respond(200)
                .header(name.toLowerCase(java.util.Locale.ROOT), "first")
                .header("x-between", "1")
                .header(name, "second");
        assertThat(respond.headers()).containsExactly(Map.entry("x-between", "1"), Map.entry(name, "second"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"set-cookie", "vary", "link", "cache-control", "www-authenticate", "x-own"})
    void anyOtherFieldIsAddedToThoseOfItsName(String name) {
        FilterOutcome.Respond respond =
                FilterOutcome.respond(200).header(name, "a").header(name, "b");
        assertThat(respond.headers()).containsExactly(Map.entry(name, "a"), Map.entry(name, "b"));
    }

    @Test
    void aBodySetsItsTypeInsteadOfThePreviousOne() {
        FilterOutcome.Respond respond =
                FilterOutcome.respond(200).text("a").html("b").json("{}");
        assertThat(respond.headers()).containsExactly(Map.entry("content-type", "application/json"));
        assertThat(text(respond)).isEqualTo("{}");
    }

    @Test
    void aBodyOfMapsAndListsIsJson() {
        FilterOutcome.Respond object = FilterOutcome.respond(409).json(Map.of("detail", "a \"quoted\" text"));
        assertThat(object.headers()).containsExactly(Map.entry("content-type", "application/json"));
        assertThat(text(object)).isEqualTo("{\"detail\":\"a \\u0022quoted\\u0022 text\"}");
        FilterOutcome.Respond array = FilterOutcome.respond(200).json(List.of(1, true, List.of("a")));
        assertThat(text(array)).isEqualTo("[1,true,[\"a\"]]");
    }

    @Test
    void aBodyThatIsNotJsonKeepsThePreviousOne() {
        FilterOutcome.Respond respond = FilterOutcome.respond(200).text("a");
        assertThatThrownBy(() -> respond.json(List.of(Double.NaN))).isInstanceOf(IllegalArgumentException.class);
        assertThat(text(respond)).isEqualTo("a");
    }

    private static String text(FilterOutcome.Respond respond) {
        return new String(respond.body(), java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void aRedirectHasOneLocation() {
        assertThat(names(FilterOutcome.redirect(302, "/a").header("location", "/b")))
                .containsExactly("location");
    }

    @Test
    void anInvalidValueKeepsThePreviousOne() {
        FilterOutcome.Respond respond = FilterOutcome.respond(200).text("a");
        assertThatThrownBy(() -> respond.header("content-type", "a\r\nb")).isInstanceOf(IllegalArgumentException.class);
        assertThat(names(respond)).containsExactly("content-type");
    }
}
