package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.CompressionAlgorithm;
import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEEncrypter;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.DirectEncrypter;
import com.nimbusds.jose.crypto.ECDHEncrypter;
import com.nimbusds.jose.crypto.PasswordBasedEncrypter;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import dev.lychgate.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The decryption of tokens, with the attacks of RFC 8725 on encryption. */
@Tag("slow")
class TokenDecrypterTest {
    private static final RSAKey RSA = Issuer.rsa(2048, "e-rsa");
    private static final ECKey EC = Issuer.ec(Curve.P_256, "e-ec");

    @TempDir
    Path home = Path.of("");

    private TokenDecrypter decrypter(OctetSequenceKey secret) throws Exception {
        Path keys = home.resolve("private.json");
        Files.writeString(keys, new JWKSet(List.of(RSA, EC, secret)).toString(false));
        return TokenDecrypter.read(keys.toString());
    }

    private static OctetSequenceKey secret(int bits) throws Exception {
        return new OctetSequenceKeyGenerator(bits).keyID("e-secret").generate();
    }

    private static String encrypted(
            String content,
            JWEAlgorithm algorithm,
            EncryptionMethod method,
            String key,
            JWEEncrypter encrypter,
            UnaryOperator<JWEHeader.Builder> change)
            throws Exception {
        JWEHeader header = change.apply(new JWEHeader.Builder(algorithm, method).keyID(key))
                .build();
        JWEObject token = new JWEObject(header, new Payload(content));
        token.encrypt(encrypter);
        return token.serialize();
    }

    @Test
    void decryptsSignedTokensByEachKindOfKey() throws Exception {
        String signed = Issuer.token(c -> {});
        OctetSequenceKey secret = secret(256);
        TokenDecrypter decrypter = decrypter(secret);
        for (String token : List.of(
                encrypted(
                        signed,
                        JWEAlgorithm.RSA_OAEP_256,
                        EncryptionMethod.A256GCM,
                        "e-rsa",
                        new RSAEncrypter(RSA),
                        header -> header),
                encrypted(
                        signed,
                        JWEAlgorithm.ECDH_ES_A128KW,
                        EncryptionMethod.A128CBC_HS256,
                        "e-ec",
                        new ECDHEncrypter(EC),
                        header -> header),
                encrypted(
                        signed,
                        JWEAlgorithm.DIR,
                        EncryptionMethod.A256GCM,
                        "e-secret",
                        new DirectEncrypter(secret),
                        header -> header))) {
            assertThat(decrypter.decrypt(token)).isEqualTo(signed);
            assertThat(decrypter.decrypt(withChangedTag(token)))
                    .as("a changed tag")
                    .isNull();
        }
    }

    /** Returns the token with another first character of its tag: each of its six bits is a bit of the tag. */
    private static String withChangedTag(String token) {
        int tag = token.lastIndexOf('.') + 1;
        char changed = token.charAt(tag) == 'A' ? 'B' : 'A';
        return token.substring(0, tag) + changed + token.substring(tag + 1);
    }

    @Test
    @SuppressWarnings("deprecation") // the weak algorithm is refused
    void refusesWeakAlgorithmsPasswordsAndCompression() throws Exception {
        String signed = Issuer.token(c -> {});
        TokenDecrypter decrypter = decrypter(secret(256));
        assertThat(decrypter.decrypt(encrypted(
                        signed,
                        JWEAlgorithm.RSA1_5,
                        EncryptionMethod.A256GCM,
                        "e-rsa",
                        new RSAEncrypter(RSA),
                        header -> header)))
                .isNull();
        assertThat(decrypter.decrypt(encrypted(
                        signed,
                        JWEAlgorithm.PBES2_HS256_A128KW,
                        EncryptionMethod.A256GCM,
                        "e-secret",
                        new PasswordBasedEncrypter("password", 8, 1000),
                        header -> header)))
                .isNull();
        assertThat(decrypter.decrypt(encrypted(
                        signed,
                        JWEAlgorithm.RSA_OAEP_256,
                        EncryptionMethod.A256GCM,
                        "e-rsa",
                        new RSAEncrypter(RSA),
                        header -> header.compressionAlgorithm(CompressionAlgorithm.DEF))))
                .isNull();
    }

    /** Everyone can encrypt with a public key, so encryption alone proves no sender. */
    @Test
    void refusesContentThatIsNotSigned() throws Exception {
        TokenDecrypter decrypter = decrypter(secret(256));
        String claims = "{\"iss\":\"https://id.example.com\",\"aud\":\"api\",\"exp\":9999999999,\"sub\":\"root\"}";
        for (String content : List.of(claims, "a.b", "", "a.b.c.d.e")) {
            assertThat(decrypter.decrypt(encrypted(
                            content,
                            JWEAlgorithm.RSA_OAEP_256,
                            EncryptionMethod.A256GCM,
                            "e-rsa",
                            new RSAEncrypter(RSA),
                            header -> header)))
                    .as(content)
                    .isNull();
        }
        assertThat(decrypter.decrypt("a.b.c.d.e")).isNull();
    }

    @Test
    void refusesFilesWithoutPrivateKeysAndDoesNotRepeatThem() throws Exception {
        Path file = home.resolve("keys.json");
        Files.writeString(file, new JWKSet(RSA.toPublicJWK()).toString());
        assertThatThrownBy(() -> TokenDecrypter.read(file.toString()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("decryption-keys: ")
                .hasMessageContaining("a JWK set of private or secret keys");
        Files.writeString(file, "{\"keys\":[{\"kty\":\"oct\",\"k\":[\"c2VjcmV0\"]}]}");
        assertThatThrownBy(() -> TokenDecrypter.read(file.toString()))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("c2VjcmV0");
        assertThatThrownBy(() -> TokenDecrypter.read(home.resolve("none").toString()))
                .hasMessageContaining("a file that can be read: ");
    }
}
