package dev.lychgate.server.admin;

import dev.lychgate.tls.ClientCertificate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A name of a client certificate. Names of different kinds are different even if their texts are equal, because an
 * authority may, for example, verify subjects but let clients choose host names.
 */
record CertificateName(Kind kind, String text) {
    /** The start of a subject: an attribute type, as a word or as numbers, and an equals sign. */
    private static final Pattern SUBJECT = Pattern.compile("\\s*([A-Za-z][A-Za-z0-9-]*|[0-9]+(\\.[0-9]+)+)\\s*=.*");

    private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*|urn:.*", Pattern.CASE_INSENSITIVE);

    enum Kind {
        SUBJECT,
        URI,
        /** A host name, an address or an e-mail address. */
        PLAIN
    }

    /** Creates a name from a text in the configuration. The form of the text determines the kind of the name. */
    static CertificateName of(String configured) {
        Kind kind = SUBJECT.matcher(configured).matches()
                ? Kind.SUBJECT
                : URI.matcher(configured).matches() ? Kind.URI : Kind.PLAIN;
        return new CertificateName(kind, configured);
    }

    /** Returns all names of a certificate, beginning with the subject. */
    static Stream<CertificateName> all(ClientCertificate of) {
        return Stream.of(
                        Stream.of(new CertificateName(Kind.SUBJECT, of.subject())),
                        of.uris().stream().map(name -> new CertificateName(Kind.URI, name)),
                        of.plainNames().stream().map(name -> new CertificateName(Kind.PLAIN, name)))
                .flatMap(names -> names);
    }
}
