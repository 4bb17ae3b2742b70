package dev.lychgate.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.tls.ClientCertificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A configured name matches names of its kind only. */
class CertificateNameTest {
    private static boolean matches(String configured, String subject, List<String> plain, List<String> uris) {
        List<String> names = new ArrayList<>(plain);
        names.addAll(uris);
        ClientCertificate certificate =
                new ClientCertificate(subject, "CN=ca", names, "1", "00", Instant.EPOCH, "AA==", uris, false);
        return CertificateName.all(certificate).anyMatch(CertificateName.of(configured)::equals);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=alice,O=Example",
                "2.5.4.3=alice",
                "spiffe://example.org/deploy",
                "urn:example:deploy",
                "backup.example",
                "alice@example.org",
                "10.0.0.1"
            })
    void aNameMatchesItsOwnKindOnly(String name) {
        boolean isSubject = name.contains("=");
        boolean isUri = name.startsWith("spiffe:") || name.startsWith("urn:");
        assertThat(matches(name, name, List.of(), List.of())).as("subject").isEqualTo(isSubject);
        assertThat(matches(name, "CN=x", List.of(name), List.of())).as("plain").isEqualTo(!isSubject && !isUri);
        assertThat(matches(name, "CN=x", List.of(), List.of(name))).as("URI").isEqualTo(isUri);
    }
}
