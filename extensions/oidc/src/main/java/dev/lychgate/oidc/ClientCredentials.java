package dev.lychgate.oidc;

import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import dev.lychgate.config.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The credentials with which the gateway authenticates at a token endpoint: a secret, a key, or nothing.
 *
 * @see <a href="https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication">OpenID Connect Core
 *     1.0, 9 Client Authentication</a>
 */
final class ClientCredentials {
    private static final String ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    private static final long ASSERTION_SECONDS = 60;
    private static final int LARGEST_FILE = 64 << 10;

    private final ProviderSettings settings;
    private final @Nullable SigningKey key;
    private final SecureRandom random;
    private final Clock clock;

    private record SigningKey(JWSHeader header, JWSSigner signer) {}

    /** @throws ConfigException under the key {@code client-key}, if the file cannot be used */
    ClientCredentials(ProviderSettings settings, SecureRandom random, Clock clock) {
        this.settings = settings;
        this.key = settings.clientKey() == null ? null : read(settings.clientKey());
        this.random = random;
        this.clock = clock;
    }

    private static SigningKey read(String file) {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > LARGEST_FILE) {
                throw refused(file, "a file of at most 64 KiB");
            }
            JWK key = JWK.parse(Files.readString(path));
            if (key.isPrivate() && key instanceof RSAKey rsa) {
                return new SigningKey(header(key, JWSAlgorithm.RS256), new RSASSASigner(rsa));
            }
            if (key.isPrivate() && key instanceof ECKey ec) {
                ECDSASigner signer = new ECDSASigner(ec);
                return new SigningKey(
                        header(key, signer.supportedJWSAlgorithms().iterator().next()), signer);
            }
            throw refused(file, "a private RSA or EC key");
        } catch (IOException e) {
            throw refused(file, "a file that can be read: " + e);
        } catch (ParseException | JOSEException e) {
            throw refused(file, "a private RSA or EC key as a JWK: " + e.getMessage());
        }
    }

    private static JWSHeader header(JWK key, JWSAlgorithm otherwise) {
        Algorithm declared = key.getAlgorithm();
        JWSAlgorithm algorithm = declared == null ? otherwise : JWSAlgorithm.parse(declared.getName());
        return new JWSHeader.Builder(algorithm)
                .type(JOSEObjectType.JWT)
                .keyID(key.getKeyID())
                .build();
    }

    private static ConfigException refused(String file, String expected) {
        return new ConfigException("client-key", file, expected);
    }

    /**
     * Adds the credentials to the parameters of a request.
     *
     * @param endpoint the token endpoint, for which an assertion is valid
     * @return the header {@code Authorization}; null if the request needs no such header
     */
    @Nullable
    String authenticate(Map<String, String> parameters, URI endpoint) {
        String secret = settings.clientSecret();
        SigningKey signing = key;
        if (secret != null && settings.clientAuthentication() == ProviderSettings.SecretMethod.BASIC) {
            String pair = encoded(settings.clientId()) + ":" + encoded(secret);
            return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        }
        parameters.put("client_id", settings.clientId());
        if (secret != null) {
            parameters.put("client_secret", secret);
        } else if (signing != null) {
            parameters.put("client_assertion_type", ASSERTION_TYPE);
            parameters.put("client_assertion", assertion(signing, endpoint));
        }
        return null;
    }

    /** Encodes a part of the credentials, see RFC 6749, 2.3.1. */
    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private String assertion(SigningKey signing, URI endpoint) {
        long now = clock.millis() / 1000;
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", settings.clientId());
        claims.put("sub", settings.clientId());
        claims.put("aud", endpoint.toString());
        claims.put("jti", RandomText.of(random));
        claims.put("iat", now);
        claims.put("exp", now + ASSERTION_SECONDS);
        try {
            JWSObject token = new JWSObject(signing.header(), new Payload(claims));
            token.sign(signing.signer());
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException("the client key cannot sign: " + e.getMessage(), e);
        }
    }
}
