package dev.lychgate.tls;

import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * A validated certificate with its key.
 *
 * @param file the file that contains the certificate
 * @param chain the certificate, followed by its intermediate certificates
 * @param key the private key of the certificate
 */
record Credential(String file, List<X509Certificate> chain, PrivateKey key) {
    Credential {
        chain = List.copyOf(chain);
    }

    X509Certificate leaf() {
        return chain.get(0);
    }

    /**
     * Returns the host names of the certificate in lower case. A name with a wildcard begins with {@code *.}. If the
     * certificate has no subject alternative name, returns its common name.
     */
    List<String> names() {
        List<String> names = new ArrayList<>();
        try {
            ClientCertificate.names(leaf(), ClientCertificate.DNS_NAME)
                    .forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
            if (leaf().getSubjectAlternativeNames() == null) {
                for (Rdn part : new LdapName(leaf().getSubjectX500Principal().getName()).getRdns()) {
                    if (part.getType().equalsIgnoreCase("CN")) {
                        names.add(String.valueOf(part.getValue()).toLowerCase(Locale.ROOT));
                    }
                }
            }
        } catch (CertificateParsingException | InvalidNameException e) {
            return List.of();
        }
        return names;
    }
}
