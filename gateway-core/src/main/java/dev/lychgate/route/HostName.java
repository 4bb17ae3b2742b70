package dev.lychgate.route;

/** The name within an authority: without port, and without the dot that makes a name absolute. */
final class HostName {
    /** Longest name in DNS (RFC 1035, 2.3.4); what is longer is no host of ours, and not worth looking up. */
    private static final int LONGEST = 253;

    private HostName() {}

    /** Where the name ends; 0 where there is none. */
    static int end(String authority) {
        int end;
        if (authority.startsWith("[")) {
            end = authority.indexOf(']') + 1;
        } else {
            int colon = authority.indexOf(':');
            end = colon < 0 ? authority.length() : colon;
            if (end > 0 && authority.charAt(end - 1) == '.') {
                end--;
            }
        }
        return end > LONGEST ? 0 : end;
    }
}
