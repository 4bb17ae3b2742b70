package dev.lychgate.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.function.Consumer;

/** Signs tokens. */
final class Issuer {
    static final String NAME = "https://id.example.com";
    static final RSAKey RSA = rsa(2048, "rsa");
    static final RSAKey OTHER_RSA = rsa(2048, "rsa");
    static final ECKey EC = ec(Curve.P_256, "ec");
    static final OctetSequenceKey SECRET = secret();

    private Issuer() {}

    static RSAKey rsa(int bits, String id) {
        try {
            return new RSAKeyGenerator(bits, true).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static ECKey ec(Curve curve, String id) {
        try {
            return new ECKeyGenerator(curve).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private static OctetSequenceKey secret() {
        try {
            return new OctetSequenceKeyGenerator(256).keyID("secret").generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** Writes the public keys of RSA and EC, and the secret. */
    static Path writeKeys(Path file) throws IOException {
        return Files.writeString(
                file, new JWKSet(List.of(RSA.toPublicJWK(), EC.toPublicJWK(), SECRET)).toString(false));
    }

    static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer(NAME)
                .audience("api")
                .subject("alice")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
    }

    static JWSHeader header(JWSAlgorithm algorithm, String key) {
        return new JWSHeader.Builder(algorithm).keyID(key).build();
    }

    static String sign(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) {
        try {
            SignedJWT token = new SignedJWT(header, claims);
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static String token(Consumer<JWTClaimsSet.Builder> change) {
        JWTClaimsSet.Builder claims = claims();
        change.accept(claims);
        return rs256(claims.build());
    }

    static String rs256(JWTClaimsSet claims) {
        return sign(header(JWSAlgorithm.RS256, "rsa"), claims, signer(RSA));
    }

    static JWSSigner signer(RSAKey key) {
        try {
            return new RSASSASigner(key);
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static JWSSigner signer(ECKey key) {
        try {
            return new ECDSASigner(key);
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static JWSSigner signer(byte[] secret) {
        try {
            return new MACSigner(secret);
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }
}
