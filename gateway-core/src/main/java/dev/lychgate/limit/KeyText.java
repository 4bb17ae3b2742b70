package dev.lychgate.limit;

import dev.lychgate.config.LimitKey;
import dev.lychgate.config.SecretNames;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Locale;

/** The key of a rate limit as operators see it. Values with secrets appear as a digest that differs in each process. */
final class KeyText {
    private static final int LONGEST = 64;

    private KeyText() {}

    /** Returns a part of the key: {@code header x-tenant: acme}. */
    static String of(LimitKey part, String value) {
        boolean secret = switch (part.source()) {
            case COOKIE -> true;
            case HEADER, QUERY -> SecretNames.isSecretField(part.name());
            case CLIENT, ROUTE -> false;
        };
        String shown = secret ? digest(value) : value.length() > LONGEST ? value.substring(0, LONGEST) + "..." : value;
        return part.source().name().toLowerCase(Locale.ROOT)
                + (part.name().isEmpty() ? " " : " " + part.name() + ": ")
                + shown;
    }

    /** Returns the client as a part of the key: of an IPv6 address, its network. */
    static String of(InetAddress client) {
        String address = client.getHostAddress();
        if (client instanceof Inet6Address) {
            String[] groups = address.split(":", -1);
            return "client " + String.join(":", groups[0], groups[1], groups[2], groups[3]) + "::/64";
        }
        return "client " + address;
    }

    private static String digest(String value) {
        return SecretNames.MASK + String.format(Locale.ROOT, "%08x", (int) KeyedHash.OF_PROCESS.of(1, value));
    }
}
