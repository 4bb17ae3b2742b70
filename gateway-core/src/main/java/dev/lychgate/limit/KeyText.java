package dev.lychgate.limit;

import dev.lychgate.config.IpLiteral;
import dev.lychgate.config.LimitKey;
import dev.lychgate.config.SecretNames;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Locale;

/** Formats the key of a rate limit for operators. A secret value is replaced by a digest, which differs in each process. */
final class KeyText {
    private static final int LONGEST = 64;
    private static final int IPV4 = 4;

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

    /** Returns the text of the client as a part of the key: the IPv4 address, or the /64 network of an IPv6 address. */
    static String of(InetAddress client) {
        byte[] network = client.getAddress();
        if (network.length == IPV4) {
            return "client " + IpLiteral.text(client);
        }
        Arrays.fill(network, Long.BYTES, network.length, (byte) 0);
        try {
            return "client " + IpLiteral.text(InetAddress.getByAddress(network)) + "/64";
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    private static String digest(String value) {
        return SecretNames.MASK + String.format(Locale.ROOT, "%08x", (int) KeyedHash.OF_PROCESS.of(1, value));
    }
}
