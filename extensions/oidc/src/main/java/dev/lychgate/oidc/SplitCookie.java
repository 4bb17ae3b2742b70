package dev.lychgate.oidc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A value that is stored in one cookie of the browser, or in several cookies if it is longer than a browser accepts in
 * one cookie. The first cookie has the name {@code NAME}, and its value begins with the number of cookies and a dot.
 * The second cookie and all later cookies have the names {@code NAME.1}, {@code NAME.2} and so on. Immutable and
 * thread-safe.
 *
 * @param name the name of the first cookie, with its prefix
 * @param secure whether the browser sends the cookies over TLS only
 * @param most the maximum number of cookies
 */
record SplitCookie(String name, boolean secure, int most) {
    /** The maximum length of a value. Browsers accept 4,096 bytes for name and value together. */
    static final int LONGEST = 3_800;

    /**
     * Creates a cookie. With TLS, its name begins with {@code __Host-}: browsers then accept it only from this host, so
     * no other host of the domain can set it.
     */
    static SplitCookie of(String base, boolean secure, int most) {
        return new SplitCookie((secure ? "__Host-" : "") + base, secure, most);
    }

    /** Returns whether the value fits into the maximum number of cookies. */
    boolean fits(String value) {
        return count(value) <= most;
    }

    private static int count(String value) {
        return (value.length() + LONGEST - 1) / LONGEST;
    }

    private String part(int i) {
        return i == 0 ? name : name + "." + i;
    }

    /** Returns the value from the cookies of a request; null if it is missing, incomplete or too long. */
    @Nullable
    String read(Map<String, String> cookies) {
        String first = cookies.get(name);
        if (first == null || first.length() < 2 || first.charAt(1) != '.') {
            return null;
        }
        int count = first.charAt(0) - '0';
        if (count < 1 || count > most || first.length() > LONGEST + 2) {
            return null;
        }
        StringBuilder value = new StringBuilder(count * LONGEST).append(first, 2, first.length());
        for (int i = 1; i < count; i++) {
            String next = cookies.get(part(i));
            if (next == null || next.length() > LONGEST) {
                return null;
            }
            value.append(next);
        }
        return value.toString();
    }

    /**
     * Returns the {@code Set-Cookie} fields that store a value, and remove parts of an earlier, longer value.
     *
     * @param present the names of the cookies of the request
     */
    List<String> write(String value, Set<String> present) {
        int count = count(value);
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String piece = value.substring(i * LONGEST, Math.min(value.length(), (i + 1) * LONGEST));
            fields.add(part(i) + "=" + (i == 0 ? count + "." : "") + piece + attributes(""));
        }
        for (int i = count; i < most; i++) {
            if (present.contains(part(i))) {
                fields.add(removal(part(i)));
            }
        }
        return fields;
    }

    /** Returns the {@code Set-Cookie} fields that remove the cookies of a request. */
    List<String> remove(Set<String> present) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            if (present.contains(part(i))) {
                fields.add(removal(part(i)));
            }
        }
        return fields;
    }

    /**
     * Returns the {@code Set-Cookie} field of the cookie whose name ends with {@code suffix}.
     *
     * @param seconds the time until the cookie expires
     */
    String single(String suffix, String value, long seconds) {
        return name + suffix + "=" + value + attributes("; Max-Age=" + seconds);
    }

    /** Returns the {@code Set-Cookie} field that removes the cookie with the name {@code full}. */
    String removal(String full) {
        return full + "=" + attributes("; Max-Age=0");
    }

    private String attributes(String age) {
        return "; Path=/" + age + "; HttpOnly; SameSite=Lax" + (secure ? "; Secure" : "");
    }

    /**
     * Returns whether {@code cookie} is the name of one of these cookies: {@code name} itself, or {@code name} with a
     * suffix.
     */
    boolean owns(String cookie) {
        return cookie.startsWith(name) && (cookie.length() == name.length() || cookie.charAt(name.length()) == '.');
    }
}
