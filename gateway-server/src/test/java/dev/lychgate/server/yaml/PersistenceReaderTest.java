package dev.lychgate.server.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PersistenceReaderTest {
    private static final String BEFORE =
            "{ listeners: [{ name: a, address: 'localhost:1' }], upstreams: { a: { endpoints: ['http://a'], persistence: ";

    private static List<String> faults(String persistence) {
        return FaultsTest.faults(BEFORE + persistence + " } } }");
    }

    @Test
    void acceptsEveryForm() {
        assertThat(faults("none")).isEmpty();
        assertThat(faults("client-ip")).isEmpty();
        assertThat(faults("{ cookie: LYCHGATE, secret: 0123456789abcdef }")).isEmpty();
        assertThat(faults("{ application-cookie: JSESSIONID, secret: 0123456789abcdef }"))
                .isEmpty();
        assertThat(faults("{ cookie: __Host-L, secret: 0123456789abcdef, secure: true, same-site: none, max-age: 1h }"))
                .isEmpty();
    }

    @Test
    void neverShowsASecret() {
        assertThat(faults("{ cookie: L, secret: hunter2 }"))
                .singleElement()
                .asString()
                .contains("persistence.secret: ***")
                .doesNotContain("hunter2");
    }

    @Test
    void reportsConflictingKeys() {
        assertThat(faults("{ cookie: L }")).singleElement().asString().contains("persistence.secret: missing");
        assertThat(faults("{ cookie: L, application-cookie: S, secret: 0123456789abcdef }"))
                .singleElement()
                .asString()
                .contains("together with cookie (expected: exactly one of cookie and application-cookie)");
        assertThat(faults("{ cookie: __Host-L, secret: 0123456789abcdef }"))
                .singleElement()
                .asString()
                .contains("secure: false (expected: true, because the name of the cookie begins with __)");
        assertThat(faults("{ cookie: L, secret: 0123456789abcdef, same-site: none }"))
                .singleElement()
                .asString()
                .contains("same-site: none (expected: only together with secure: true)");
        assertThat(faults("{ cookie: L, secret: 0123456789abcdef, max-age: 1500ms }"))
                .singleElement()
                .asString()
                .contains("max-age: 1500ms (expected: whole seconds");
        assertThat(faults("{ cookie: 'a b', secret: 0123456789abcdef }"))
                .singleElement()
                .asString()
                .contains("cookie: a b (expected: the name of a cookie)");
        assertThat(faults("sticky")).singleElement().asString().contains("none, client-ip, or a mapping");
    }
}
