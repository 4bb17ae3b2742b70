package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import dev.lychgate.tls.Ed25519Key;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The trusted public keys. Each release and each head must have a signature by one of these keys. Immutable and
 * thread-safe.
 */
public final class TrustedKeys {
    private final List<Ed25519Key> keys;

    private TrustedKeys(List<Ed25519Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * Reads the keys of files in PEM form, one key in each.
     *
     * @throws FleetException if a file cannot be read or does not contain a public key of the curve Ed25519
     */
    public static TrustedKeys read(List<String> files) throws FleetException {
        List<Ed25519Key> keys = new ArrayList<>();
        for (String file : files) {
            try {
                keys.add(Ed25519Key.ofEncoded(Pem.decode("PUBLIC KEY", Pem.text(Path.of(file)))));
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                throw new FleetException(
                        FleetException.Kind.REFUSED,
                        file + " contains no public key of the curve Ed25519 in PEM form",
                        e);
            }
        }
        return new TrustedKeys(keys);
    }

    /**
     * Verifies a signature.
     *
     * @param what the name of the signed text in messages
     * @param signature in base64
     * @throws FleetException if no key verifies it
     */
    void verify(String what, byte[] text, String signature) throws FleetException {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(signature);
        } catch (IllegalArgumentException e) {
            throw new FleetException(FleetException.Kind.REFUSED, what + ": the signature is not base64", e);
        }
        // The signature must have a single valid spelling, so that a signed text has only one form.
        if (!Base64.getEncoder().encodeToString(bytes).equals(signature)) {
            throw FleetException.refused(what + ": the signature is not in canonical base64");
        }
        for (Ed25519Key key : keys) {
            try {
                if (key.verifies(text, bytes)) {
                    return;
                }
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every JDK since 15 has Ed25519", e);
            }
        }
        throw FleetException.refused(what + ": no trusted key has signed it");
    }
}
