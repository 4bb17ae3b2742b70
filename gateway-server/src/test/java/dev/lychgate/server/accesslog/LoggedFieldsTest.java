package dev.lychgate.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.LoggedHeaders;
import dev.lychgate.http.Redaction;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoggedFieldsTest {
    private final LoggedFields fields = new LoggedFields(
            new LoggedHeaders(List.of("X-Tenant", "Authorization"), List.of("Location", "Set-Cookie")),
            Redaction.USUAL);

    @Test
    void copiesConfiguredFieldsUnderLowerCaseNames() {
        HttpHeaders request = new DefaultHttpHeaders();
        request.add("x-tenant", "acme").add("x-other", "not asked for");

        assertThat(json(request, null)).isEqualTo("{\"x-tenant\":\"acme\"}");
    }

    @Test
    void joinsSeveralValues() {
        HttpHeaders request = new DefaultHttpHeaders();
        request.add("x-tenant", "a").add("x-tenant", "b");

        assertThat(json(request, null)).isEqualTo("{\"x-tenant\":\"a, b\"}");
    }

    @Test
    void doesNotCopyMaskedFields() {
        HttpHeaders request = new DefaultHttpHeaders();
        request.add("authorization", "Bearer hidden");
        HttpHeaders answer = new DefaultHttpHeaders();
        answer.add("set-cookie", "a=hidden").add("location", "https://a.example/cb?code=hidden");

        assertThat(json(request, answer))
                .isEqualTo(
                        "{\"authorization\":\"***\"}{\"location\":\"https://a.example/cb?code=***\",\"set-cookie\":\"***\"}");
    }

    @Test
    void truncatesLongValues() {
        HttpHeaders request = new DefaultHttpHeaders();
        request.add("x-tenant", "x".repeat(10_000));

        assertThat(json(request, null)).isEqualTo("{\"x-tenant\":\"" + "x".repeat(256) + "...\"}");
    }

    @Test
    void copiesNothingByDefault() {
        assertThat(new LoggedFields(LoggedHeaders.NONE, Redaction.USUAL)
                        .copy(new DefaultHttpHeaders(), new DefaultHttpHeaders()))
                .isNull();
    }

    private String json(@Nullable HttpHeaders request, @Nullable HttpHeaders answer) {
        LoggedFields.Copied copied = fields.copy(request, answer);
        assertThat(copied).isNotNull();
        LineBuffer text = new LineBuffer(1).append('{');
        if (copied.request().append(text)) {
            text.append('}');
        } else {
            text.truncate(0);
        }
        int first = text.length();
        text.append('{');
        if (copied.response().append(text)) {
            text.append('}');
        } else {
            text.truncate(first);
        }
        return text.toString();
    }
}
