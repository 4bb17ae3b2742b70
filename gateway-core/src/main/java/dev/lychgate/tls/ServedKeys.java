package dev.lychgate.tls;

import dev.lychgate.tls.TlsFiles.Unusable;
import io.netty.handler.ssl.SslProvider;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.util.List;

/** The kinds of keys that handshakes succeed with. The engines load others too, and then fail every handshake. */
final class ServedKeys {
    /** P-256, P-384 and P-521. */
    private static final List<String> CURVES = List.of("secp256r1", "secp384r1", "secp521r1");

    private ServedKeys() {}

    /** @return {@code key}. @throws Unusable if {@code provider} does not serve keys of its kind */
    static PrivateKey require(PrivateKey key, SslProvider provider) throws Unusable {
        String kind = key instanceof EdECKey edwards ? edwards.getParams().getName() : key.getAlgorithm();
        boolean jdk = provider == SslProvider.JDK;
        if (!kind.equals("RSA") && !kind.equals("EC") && !(jdk && key instanceof EdECKey)) {
            throw new Unusable("holds a key of the kind " + kind + ", but "
                    + (jdk ? "the JDK's TLS serves RSA, EC, Ed25519 and Ed448" : "BoringSSL serves RSA and EC"));
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
            throw new IllegalStateException("every JDK has these curves", e);
        }
        throw new Unusable("holds a key of another curve than P-256, P-384 and P-521");
    }
}
