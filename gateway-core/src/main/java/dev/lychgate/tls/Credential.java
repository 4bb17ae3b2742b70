package dev.lychgate.tls;

import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * A certificate with its key, checked.
 *
 * @param file where the certificate is from
 * @param chain the certificate, followed by those that lead from it to an authority
 * @param key its key
 */
record Credential(String file, List<X509Certificate> chain, PrivateKey key) {
    private static final int DNS_NAME = 2;

    Credential {
        chain = List.copyOf(chain);
    }

    X509Certificate leaf() {
        return chain.get(0);
    }

    /** The host names it is for, in lower case, {@code *.} in front for all below one; its common name if it has no others. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> others = leaf().getSubjectAlternativeNames();
            if (others != null) {
                for (List<?> name : others) {
                    if (Integer.valueOf(DNS_NAME).equals(name.get(0))) {
                        names.add(String.valueOf(name.get(1)).toLowerCase(Locale.ROOT));
                    }
                }
            }
            if (names.isEmpty() && others == null) {
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
