package dev.lychgate.server.yaml;

/**
 * The path of a key in the configuration.
 *
 * @param path the path for messages: {@code routes[2].match.headers.x-beta}
 * @param pattern the path in the list of known keys: {@code routes[].match.headers.*}
 * @param last only the last key of the path, as it is written in the file
 * @param setting whether the key is within the settings of a filter
 */
record Trail(String path, String pattern, String last, boolean setting) {
    static final Trail ROOT = new Trail("", "", "", false);

    /** Returns this path, marked as a path within the settings of a filter, in which any text may be a secret. */
    Trail ofSettings() {
        return new Trail(path, pattern, last, true);
    }

    /** Appends a key that the configuration format defines. */
    Trail key(String key) {
        return new Trail(join(path, key), join(pattern, key), key, setting);
    }

    /** Appends a key that the user chooses, such as an upstream's name. */
    Trail name(String name) {
        return new Trail(join(path, name), join(pattern, "*"), name, setting);
    }

    Trail index(int i) {
        return new Trail(path + "[" + i + "]", pattern + "[]", last, setting);
    }

    private static String join(String before, String key) {
        return before.isEmpty() ? key : before + "." + key;
    }
}
