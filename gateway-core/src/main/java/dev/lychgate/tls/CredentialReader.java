package dev.lychgate.tls;

import static java.util.Objects.requireNonNull;

import dev.lychgate.config.CertificateConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.tls.TlsFiles.Unusable;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and keys. A certificate or key with which handshakes would fail is refused before it takes effect.
 * Not thread-safe; methods may block.
 *
 * @param provider the TLS engine that will use the certificates
 */
record CredentialReader(TlsFiles files, Instant now, SslProvider provider) {
    /** The supported curves: P-256, P-384 and P-521. */
    private static final List<String> CURVES = List.of("secp256r1", "secp384r1", "secp521r1");

    /**
     * Reads a certificate with its key, and checks that handshakes can use both.
     *
     * @param key the configuration key of the certificate, for messages
     * @throws ConfigException if a file is unusable; the message names the file and the reason
     */
    Credential read(CertificateConfig config, String key) {
        return config.pkcs12() == null ? pem(config, key) : store(config, config.pkcs12(), key + ".pkcs12");
    }

    private Credential pem(CertificateConfig config, String key) {
        String chainFile = requireNonNull(config.chain());
        String keyFile = requireNonNull(config.key());
        List<X509Certificate> chain = certificates(chainFile, key + ".chain");
        PrivateKey privateKey;
        try {
            privateKey = served(PemFile.key(files.bytes(keyFile), config.password()));
        } catch (Unusable e) {
            throw refused(key + ".key", keyFile, e, "a file with one private key in PEM");
        }
        requireMatch(chain, privateKey, key + ".key", keyFile, chainFile);
        return checked(new Credential(chainFile, chain, privateKey), key + ".chain");
    }

    List<X509Certificate> certificates(String file, String key) {
        try {
            return PemFile.certificates(files.bytes(file));
        } catch (Unusable e) {
            throw refused(key, file, e, "a file with certificates in PEM");
        }
    }

    /** Reads an OCSP response; null if none is configured. */
    byte @Nullable [] ocsp(CertificateConfig config, String key) {
        String file = config.ocsp();
        if (file == null) {
            return null;
        }
        try {
            byte[] response = files.bytes(file);
            // OCSPResponse ::= SEQUENCE { responseStatus ENUMERATED { successful(0) ...
            int status = response.length > 1 && (response[1] & 0x80) != 0 ? 2 + (response[1] & 0x7f) : 2;
            boolean successful = response.length > status + 2
                    && response[0] == 0x30
                    && response[status] == 0x0a
                    && response[status + 2] == 0;
            if (!successful) {
                throw new Unusable("is not a usable OCSP response");
            }
            return response;
        } catch (Unusable e) {
            throw refused(key + ".ocsp", file, e, "a successful OCSP response in DER");
        }
    }

    private Credential store(CertificateConfig config, String file, String key) {
        String password = config.password();
        char[] secret = password == null ? new char[0] : password.toCharArray();
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            try {
                store.load(new ByteArrayInputStream(files.bytes(file)), secret);
            } catch (IOException e) {
                boolean wrong = e.getCause() instanceof GeneralSecurityException;
                throw new Unusable(
                        wrong
                                ? password == null ? "no password is configured" : PemFile.wrong(password)
                                : "is not a PKCS#12 store, or is corrupt",
                        e);
            }
            Credential found = null;
            for (String alias : Collections.list(store.aliases())) {
                if (store.getKey(alias, secret) instanceof PrivateKey privateKey) {
                    if (found != null) {
                        throw new Unusable("contains more than one private key");
                    }
                    found = new Credential(file, chain(store.getCertificateChain(alias)), served(privateKey));
                }
            }
            if (found == null) {
                throw new Unusable("contains no private key");
            }
            if (found.chain().isEmpty()) {
                throw new Unusable("contains no certificate for its key");
            }
            requireMatch(found.chain(), found.key(), key, file, file);
            return checked(found, key);
        } catch (GeneralSecurityException e) {
            throw refused(key, file, new Unusable("can't be opened: " + e.getMessage(), e), "a PKCS#12 store");
        } catch (Unusable e) {
            throw refused(key, file, e, "a PKCS#12 store with one private key and its certificates");
        }
    }

    private static List<X509Certificate> chain(Certificate @Nullable [] of) {
        List<X509Certificate> chain = new ArrayList<>();
        if (of != null) {
            for (Certificate certificate : of) {
                chain.add((X509Certificate) certificate);
            }
        }
        return chain;
    }

    private static void requireMatch(
            List<X509Certificate> chain, PrivateKey privateKey, String key, String keyFile, String chainFile) {
        if (belongs(privateKey, chain.get(0).getPublicKey())) {
            return;
        }
        if (chain.stream().anyMatch(c -> belongs(privateKey, c.getPublicKey()))) {
            throw new ConfigException(
                    key,
                    keyFile + ": the certificate of this key is not the first one in " + chainFile,
                    "a chain that begins with the certificate of the key");
        }
        throw new ConfigException(
                key, keyFile + ": does not match the certificate in " + chainFile, "the key of the certificate");
    }

    /**
     * Returns whether the two keys form a pair. Signs a test message with the private key and verifies the signature
     * with the public key, which works for all kinds of keys.
     */
    private static boolean belongs(PrivateKey privateKey, PublicKey publicKey) {
        String algorithm = switch (privateKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> privateKey.getAlgorithm();
        };
        try {
            byte[] sample = "whose key is this".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(privateKey);
            signature.update(sample);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(sample);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private Credential checked(Credential credential, String key) {
        List<X509Certificate> chain = credential.chain();
        for (int i = 0; i < chain.size(); i++) {
            X509Certificate certificate = chain.get(i);
            String which = credential.file() + (i == 0 ? "" : ": certificate " + (i + 1) + " of the chain");
            if (now.isAfter(certificate.getNotAfter().toInstant())) {
                throw new ConfigException(
                        key,
                        which + ": expired on " + certificate.getNotAfter().toInstant(),
                        "a certificate that is valid today");
            }
            if (now.isBefore(certificate.getNotBefore().toInstant())) {
                throw new ConfigException(
                        key,
                        which + ": not valid before "
                                + certificate.getNotBefore().toInstant(),
                        "a certificate that is valid today");
            }
            if (i > 0 && !chain.get(i - 1).getIssuerX500Principal().equals(certificate.getSubjectX500Principal())) {
                throw new ConfigException(
                        key,
                        which + ": is not the issuer of the certificate that precedes it",
                        "a chain in which each certificate is followed by the certificate of its issuer");
            }
        }
        return credential;
    }

    private static ConfigException refused(String key, String file, Unusable why, String expected) {
        return new ConfigException(key, file + ": " + why.why(), expected, why);
    }

    /**
     * Returns {@code key} if handshakes can use keys of its kind. If they cannot, refuses the key: a TLS engine would
     * load the key, but handshakes would fail.
     */
    private PrivateKey served(PrivateKey key) throws Unusable {
        String kind = key instanceof EdECKey edwards ? edwards.getParams().getName() : key.getAlgorithm();
        boolean jdk = provider == SslProvider.JDK;
        if (!kind.equals("RSA") && !kind.equals("EC") && !(jdk && key instanceof EdECKey)) {
            throw new Unusable("contains a key of the kind " + kind + ", but "
                    + (jdk
                            ? "the JDK's TLS supports only RSA, EC, Ed25519 and Ed448"
                            : "BoringSSL supports only RSA and EC"));
        }
        if (key instanceof ECKey ec) {
            requireCurve(ec);
        }
        return key;
    }

    private static void requireCurve(ECKey key) throws Unusable {
        try {
            for (String name : CURVES) {
                AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
                parameters.init(new ECGenParameterSpec(name));
                ECParameterSpec curve = parameters.getParameterSpec(ECParameterSpec.class);
                if (curve.getCurve().equals(key.getParams().getCurve())) {
                    return;
                }
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JDK lacks a standard curve", e);
        }
        throw new Unusable("contains a key of a curve other than P-256, P-384 and P-521");
    }
}
