package dev.lychgate.limit;

import dev.lychgate.config.LimitKey;
import dev.lychgate.config.SecretNames;
import java.util.Locale;

/**
 * Formats the key of a rate limit for operators. A secret value is replaced by a digest. Each process computes a
 * different digest of a value.
 */
final class KeyText {
    private static final int LONGEST = 64;

    private KeyText() {}

    /** Returns the text of a part of the key, such as {@code header x-tenant: acme}. */
    static String of(LimitKey part, String value) {
        boolean secret = switch (part.source()) {
            case COOKIE -> true;
            case HEADER, QUERY -> SecretNames.isSecretField(part.name());
            case CLIENT, ROUTE, CLAIM -> false;
        };
        String shown = secret ? digest(value) : value.length() > LONGEST ? value.substring(0, LONGEST) + "..." : value;
        return part.source().name().toLowerCase(Locale.ROOT)
                + (part.name().isEmpty() ? " " : " " + part.name() + ": ")
                + shown;
    }

    /** Returns the text of a part of the key that identifies the client, such as {@code client 192.0.2.7}. */
    static String of(ClientPrefix client) {
        return "client " + client;
    }

    private static String digest(String value) {
        return SecretNames.MASK + String.format(Locale.ROOT, "%08x", (int) KeyedHash.OF_PROCESS.of(1, value));
    }
}
