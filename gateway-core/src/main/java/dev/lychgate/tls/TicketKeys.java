package dev.lychgate.tls;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/**
 * The keys that a listener's session tickets are sealed with. They outlive generations, so that a reload does not cost
 * every client a whole handshake, and are replaced every {@value #HOURS} hours, so that one that is stolen opens little;
 * the one before goes on opening old tickets for as long again. They leave the process never.
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

    /** Makes a new one if it is time. Any thread. */
    synchronized void turn(long now) {
        if (isDue(now)) {
            turnAt = now + PERIOD;
            before = current;
            current = make();
        }
    }

    /** Lets {@code sessions} seal with the newest, and open with both. */
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
