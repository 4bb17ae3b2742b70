package dev.lychgate.oidc;

import org.jspecify.annotations.Nullable;

/** The path to which the browser returns after a login: always a path of the origin at which the login began. */
final class ReturnPath {
    static final String HOME = "/";
    private static final int LONGEST = 2_000;

    private ReturnPath() {}

    /**
     * Returns {@code target} if a redirect to it stays on the origin of the gateway. If it does not, returns {@code /}.
     * Browsers treat {@code \} like {@code /}, ignore tabs and line breaks, and interpret a path that begins with two
     * slashes as another host.
     *
     * @param target a path with an optional query, as a client sent it; null if there is none
     */
    static String safe(@Nullable String target) {
        if (target == null) {
            return HOME;
        }
        boolean safe = target.length() <= LONGEST
                && target.startsWith("/")
                && !target.startsWith("//")
                && target.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\' && c != '"');
        return safe ? target : HOME;
    }
}
