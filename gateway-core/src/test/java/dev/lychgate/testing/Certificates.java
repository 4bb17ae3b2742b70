package dev.lychgate.testing;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** An authority for tests, and the certificates that it issues. */
public final class Certificates {
    private static final char[] SECRET = "changeit".toCharArray();

    private final X509Bundle authority;

    private Certificates(X509Bundle authority) {
        this.authority = authority;
    }

    /** A new authority. */
    public static Certificates authority(String name) {
        try {
            return new Certificates(new CertificateBuilder()
                    .ecp256()
                    .subject("CN=" + name)
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A certificate for host names, IP addresses among them; the first is its subject. */
    public X509Bundle issue(String... names) {
        Instant now = Instant.now();
        return issue(now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(90)), names);
    }

    /** A certificate that ended yesterday. */
    public X509Bundle expired(String... names) {
        Instant now = Instant.now();
        return issue(now.minus(Duration.ofDays(30)), now.minus(Duration.ofDays(1)), names);
    }

    /** A certificate for a time of the test's choice. */
    public X509Bundle issue(Instant from, Instant to, String... names) {
        try {
            return builder(from, to, names).ecp256().buildIssuedBy(authority);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A certificate with a Common Name that is not among its names. */
    public X509Bundle issueTo(String commonName, String... names) {
        Instant now = Instant.now();
        try {
            return builder(now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(90)), names)
                    .subject("CN=" + commonName)
                    .ecp256()
                    .buildIssuedBy(authority);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A certificate with an RSA key. */
    public X509Bundle issueRsa(String... names) {
        Instant now = Instant.now();
        try {
            return builder(now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(90)), names)
                    .rsa2048()
                    .buildIssuedBy(authority, "SHA256withECDSA");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static CertificateBuilder builder(Instant from, Instant to, String... names) {
        CertificateBuilder builder = new CertificateBuilder()
                .subject("CN=" + (names.length == 0 ? "unnamed" : names[0].replace("*.", "")))
                .notBefore(from)
                .notAfter(to);
        if (names.length > 0 && names[0].startsWith("*.")) {
            // The builder accepts no wildcards.
            return builder.addExtensionOctetString("2.5.29.17", false, alternativeNames(names));
        }
        for (String name : names) {
            if (name.matches("[0-9.]+|.*:.*")) {
                builder.addSanIpAddress(name);
            } else {
                builder.addSanDnsName(name);
            }
        }
        return builder;
    }

    /** Host names in DER, as long as there are few: {@code SEQUENCE OF [2] IA5String}. */
    private static byte[] alternativeNames(String... names) {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        for (String name : names) {
            list.write(0x82);
            list.write(name.length());
            list.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        }
        ByteArrayOutputStream sequence = new ByteArrayOutputStream();
        sequence.write(0x30);
        sequence.write(list.size());
        sequence.writeBytes(list.toByteArray());
        return sequence.toByteArray();
    }

    /** The authority's own certificate. */
    public X509Bundle root() {
        return authority;
    }

    /**
     * Writes the authority's certificate.
     *
     * @return the path
     */
    public String writeCa(Path directory, String name) {
        return write(directory.resolve(name), authority.getCertificatePEM());
    }

    /**
     * Writes text, and replaces the existing content.
     *
     * @return the path
     */
    public static String write(Path file, String text) {
        try {
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(fresh, text);
            Files.move(fresh, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            return file.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes certificate and key as {@code name.pem} and {@code name.key}. */
    public static dev.lychgate.config.CertificateConfig pem(Path directory, String name, X509Bundle bundle) {
        return dev.lychgate.config.CertificateConfig.pem(
                write(directory.resolve(name + ".pem"), bundle.getCertificatePathPEM()),
                write(directory.resolve(name + ".key"), bundle.getPrivateKeyPEM()));
    }

    /** Writes a PKCS#12 store. */
    public static dev.lychgate.config.CertificateConfig store(
            Path directory, String name, X509Bundle bundle, String password) {
        Path file = directory.resolve(name + ".p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "1", bundle.getKeyPair().getPrivate(), password.toCharArray(), bundle.getCertificatePath());
            store.store(out, password.toCharArray());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return dev.lychgate.config.CertificateConfig.store(file.toString(), password);
    }

    /** The context of a client or server of the JDK: it trusts this authority, and presents {@code own}. */
    public SSLContext context(@Nullable X509Bundle own) {
        try {
            KeyStore trust = KeyStore.getInstance("PKCS12");
            trust.load(null, null);
            trust.setCertificateEntry("ca", authority.getCertificate());
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(trust);
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            if (own != null) {
                store.setKeyEntry("own", own.getKeyPair().getPrivate(), SECRET, own.getCertificatePath());
            }
            keys.init(store, SECRET);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trusted.getTrustManagers(), new SecureRandom());
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
