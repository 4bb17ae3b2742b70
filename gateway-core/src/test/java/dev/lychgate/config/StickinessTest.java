package dev.lychgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StickinessTest {
    private static final Key<Stickiness> BY = Key.typed("by", Stickiness.FORM, new Stickiness.Client());

    @Test
    void readsWordsForTheClientAndTheRequest() {
        assertThat(word("client")).isEqualTo(new Stickiness.Client());
        assertThat(word("request")).isEqualTo(new Stickiness.Request());
    }

    @Test
    void refusesOtherWordsAndNamesTheAcceptedOnes() {
        assertThatThrownBy(() -> word("session")).hasMessage("client, request, or a mapping");
    }

    @Test
    void readsSectionsOfOneKeyForCookiesAndHeaders() {
        assertThat(section("cookie", "sid")).isEqualTo(new Stickiness.Cookie("sid"));
        assertThat(section("header", "x-tenant")).isEqualTo(new Stickiness.Header("x-tenant"));
    }

    @Test
    void demandsExactlyOneKeyOfASection() {
        Section section = new Section(Map.of());

        assertThat(read(section)).isEqualTo(new Stickiness.Client());
        assertThat(section.alternatives).isEqualTo(List.of("cookie", "header"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "a\r\nb", "\u00e4"})
    void refusesNamesThatNoRequestCanHave(String name) {
        assertThatThrownBy(() -> new Stickiness.Cookie(name))
                .hasMessage("cookie: " + name + " (expected: the name of a cookie)");
        assertThatThrownBy(() -> new Stickiness.Header(name))
                .hasMessage("header: " + name + " (expected: the name of a header field)");
    }

    @Test
    void isWrittenAsItIsRead() {
        assertThat(WrittenConfig.write(BY, new Stickiness.Client())).isEqualTo("client");
        assertThat(WrittenConfig.write(BY, new Stickiness.Request())).isEqualTo("request");
        assertThat(WrittenConfig.of(new Stickiness.Cookie("sid"))).isEqualTo(Map.of("cookie", "sid"));
        assertThat(WrittenConfig.of(new Stickiness.Header("x-tenant"))).isEqualTo(Map.of("header", "x-tenant"));
    }

    @Test
    void describesItselfForMessages() {
        assertThat(BY.form().print().apply(new Stickiness.Client())).isEqualTo("client");
        assertThat(new Stickiness.Request().describe()).isEqualTo("request");
        assertThat(new Stickiness.Cookie("sid").describe()).isEqualTo("cookie sid");
        assertThat(new Stickiness.Header("x-tenant").describe()).isEqualTo("header x-tenant");
    }

    private static Object word(String text) {
        return Objects.requireNonNull(BY.form().item()).parse().apply(text);
    }

    private static Stickiness section(String key, String value) {
        return read(new Section(Map.of(key, value)));
    }

    private static Stickiness read(Section section) {
        return Objects.requireNonNull(BY.form().section()).apply(section);
    }

    /** A section of texts, as a file has them. */
    private static final class Section implements Key.Values {
        private final Map<String, String> texts;
        private List<String> alternatives = List.of();

        Section(Map<String, String> texts) {
            this.texts = texts;
        }

        @Override
        public <T> T get(Key<T> key) {
            String text = texts.get(key.name());
            return text == null ? key.otherwise() : key.form().parse().apply(text);
        }

        @Override
        public void exactlyOne(String... keys) {
            alternatives = List.of(keys);
        }
    }
}
