package dev.lychgate.tls;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/**
 * The keys that encrypt the session tickets of a listener. The keys outlive generations, so that clients need no full
 * handshakes after a reload. They are rotated every {@value #HOURS} hours, which limits the damage of a stolen key.
 * After a rotation, the previous key still decrypts old tickets until the next rotation. Keys never leave the process.
 */
final class TicketKeys {
    private static final int HOURS = 12;
    private static final long PERIOD = TimeUnit.HOURS.toNanos(HOURS);

    private final SecureRandom random = new SecureRandom();
    private OpenSslSessionTicketKey current;
    private OpenSslSessionTicketKey before;
    private volatile long turnAt;

    TicketKeys(long now) {
        current = make();
        before = make();
        turnAt = now + PERIOD;
    }

    boolean isDue(long now) {
        return now - turnAt >= 0;
    }

    /** Rotates the keys if a rotation is due. Thread-safe. */
    synchronized void turn(long now) {
        if (isDue(now)) {
            turnAt = now + PERIOD;
            before = current;
            current = make();
        }
    }

    /**
     * Sets the ticket keys of {@code sessions}. The current key encrypts tickets; the current and the previous key
     * decrypt tickets.
     */
    synchronized void giveTo(OpenSslSessionContext sessions) {
        sessions.setTicketKeys(current, before);
    }

    private OpenSslSessionTicketKey make() {
        return new OpenSslSessionTicketKey(
                bytes(OpenSslSessionTicketKey.NAME_SIZE),
                bytes(OpenSslSessionTicketKey.HMAC_KEY_SIZE),
                bytes(OpenSslSessionTicketKey.AES_KEY_SIZE));
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
