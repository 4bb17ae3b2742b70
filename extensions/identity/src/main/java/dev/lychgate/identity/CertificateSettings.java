package dev.lychgate.identity;

import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Form;
import dev.lychgate.config.Key;
import dev.lychgate.config.Keys;
import java.util.List;
import java.util.Locale;

/** The settings of {@code client-certificate}. */
record CertificateSettings(Subject subject, List<String> trustDomains, List<String> allow) {
    /** The name of a certificate that becomes the subject of the identity. */
    enum Subject {
        DN,
        NAME,
        SPIFFE_ID;

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final Key<Subject> SUBJECT = Key.choice("subject", Subject.DN, Subject::label)
            .about(
                    "the name of the certificate that becomes the subject: `dn` is its distinguished name, as in RFC 2253; `name` is"
                            + " its only alternative name that is not a URI; `spiffe-id` is the SPIFFE id of an X.509-SVID");
    private static final Key<List<String>> TRUST_DOMAINS = Key.list("trust-domains", Form.TEXT)
            .about("the accepted trust domains; required with `subject: spiffe-id`");
    private static final Key<List<String>> ALLOW = Key.list("allow", Form.TEXT)
            .absent("every subject")
            .about(
                    "the accepted subjects. In a SPIFFE id, `*` stands for one segment of the path, and `**` at the end for one or"
                            + " more segments");

    static final Keys<CertificateSettings> KEYS = Keys.of(CertificateSettings::new, SUBJECT, TRUST_DOMAINS, ALLOW);

    CertificateSettings {
        trustDomains = List.copyOf(trustDomains);
        allow = List.copyOf(allow);
        boolean spiffe = subject == Subject.SPIFFE_ID;
        // The authorities of a listener may belong to several trust domains, so the configuration has to name the
        // accepted ones.
        if (spiffe == trustDomains.isEmpty()) {
            throw new ConfigException(
                    "trust-domains",
                    trustDomains.isEmpty() ? "missing" : trustDomains,
                    spiffe
                            ? "the trust domains whose ids are accepted"
                            : "no trust-domains, which apply only to subject: spiffe-id");
        }
        for (String domain : trustDomains) {
            if (!SpiffeId.TRUST_DOMAIN.matcher(domain).matches()) {
                throw new ConfigException("trust-domains", domain, "a trust domain in lower case, such as example.org");
            }
        }
        for (String each : allow) {
            requireAllowed(each, spiffe, trustDomains);
        }
    }

    private static void requireAllowed(String subject, boolean spiffe, List<String> trustDomains) {
        if (!spiffe) {
            if (subject.isEmpty()) {
                throw new ConfigException("allow", "an empty text", "the complete subject");
            }
            return;
        }
        try {
            SpiffePattern pattern = SpiffePattern.parse(subject);
            if (!trustDomains.contains(pattern.trustDomain())) {
                throw new ConfigException("allow", subject, "an id in one of the trust-domains");
            }
        } catch (ConfigException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new ConfigException("allow", subject, String.valueOf(e.getMessage()), e);
        }
    }
}
