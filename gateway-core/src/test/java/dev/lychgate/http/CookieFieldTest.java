package dev.lychgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CookieFieldTest {
    private static HttpHeaders fields(String... values) {
        HttpHeaders headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        for (String value : values) {
            headers.add("Cookie", value);
        }
        return headers;
    }

    @ParameterizedTest(name = "[{0}] leaves [{1}]")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a=1; L=x; b=2|a=1; b=2",
                "L=x; a=1|a=1",
                "a=1; L=x|a=1",
                "a=1;L=x;b=2|a=1;b=2",
                "L=x; L=y; a=1; L=z|a=1",
                "a=\"q; L=x\"; b=2|a=\"q; b=2",
                "a= 1 ;  b=2;L = x|a= 1 ;  b=2",
                "a=1;; L=x;|a=1;;",
            })
    void takesOneCookieOffAndLeavesTheOthersByteForByte(String before, String after) {
        HttpHeaders headers = fields(before);
        Cookies.remove(headers, "L");
        assertThat(headers.getAll("cookie")).containsExactly(after);
    }

    @ParameterizedTest(name = "[{0}] becomes [{1}]")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a=1; L=x; b=2|a=1; L=new; b=2",
                "L=x;flag; a=1;a=2|L=new;flag; a=1;a=2",
                "a=1; L=x; L=y; b|a=1; L=new; b",
                "a=\"q\"; flag|a=\"q\"; flag; L=new",
                "a=1;|a=1; L=new",
                "``|L=new",
            })
    void setsOneCookieAndLeavesTheOthersByteForByte(String before, String after) {
        HttpHeaders headers = fields(before);
        Cookies.set(headers, "L", "new");
        assertThat(headers.getAll("cookie")).containsExactly(after);
    }

    @Test
    void setsACookieOnceInSeveralFields() {
        HttpHeaders headers = fields("a=1", "L=x; flag", "L=y", "a=2");
        Cookies.set(headers, "L", "new");
        assertThat(headers.getAll("cookie")).containsExactly("a=1", "L=new; flag", "a=2");
        HttpHeaders none = fields();
        Cookies.set(none, "L", "new");
        assertThat(none.getAll("cookie")).containsExactly("L=new");
    }

    static Stream<String> fieldsWithoutIt() {
        return Stream.of(
                "a=1", "l=x", "LL=x", "xL=x", "a=L=x", "L", "L; a=1", " a=1 ;  b=\"x y\";;", "", ";", "a=\u00e4\u0080");
    }

    @ParameterizedTest(name = "[{0}]")
    @MethodSource("fieldsWithoutIt")
    void keepsAFieldWithoutTheCookie(String field) {
        HttpHeaders headers = fields(field);
        Cookies.remove(headers, "L");
        assertThat(headers.getAll("cookie")).containsExactly(field);
        assertThat(Cookies.values(headers, "L")).isEmpty();
    }

    @Test
    void removesAFieldThatHadNoOtherCookie() {
        HttpHeaders headers = fields("L=x", " L=y ; ", "a=1");
        Cookies.remove(headers, "L");
        assertThat(headers.getAll("cookie")).containsExactly("a=1");
    }

    static Stream<Arguments> values() {
        return Stream.of(
                Arguments.of("L=x", List.of("x")),
                Arguments.of("a=1; L=x; L=y", List.of("x", "y")),
                Arguments.of("L=", List.of("")),
                Arguments.of("L = x ;a=1", List.of("x")),
                Arguments.of("L=x=y", List.of("x=y")),
                Arguments.of("L=\"x\"", List.of("\"x\"")));
    }

    @ParameterizedTest(name = "[{0}] has {1}")
    @MethodSource("values")
    void readsEveryValueOfTheNameInOrder(String field, List<String> values) {
        assertThat(Cookies.values(fields(field), "L")).isEqualTo(values);
    }
}
