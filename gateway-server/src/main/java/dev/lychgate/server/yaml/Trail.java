package dev.lychgate.server.yaml;

/**
 * The path of a key in the configuration.
 *
 * @param path the path for messages, such as {@code routes[2].match.headers.x-beta}
 * @param pattern the path in the list of known keys, such as {@code routes[].match.headers.*}
 * @param last the last key of the path, as the file contains it
 */
record Trail(String path, String pattern, String last) {
    static final Trail ROOT = new Trail("", "", "");

    /** Appends a key that the configuration format defines. */
    Trail key(String key) {
        return new Trail(join(path, key), join(pattern, key), key);
    }

    /** Appends a key that the user chooses, such as an upstream's name. */
    Trail name(String name) {
        return new Trail(join(path, name), join(pattern, "*"), name);
    }

    Trail index(int i) {
        return new Trail(path + "[" + i + "]", pattern + "[]", last);
    }

    private static String join(String before, String key) {
        return before.isEmpty() ? key : before + "." + key;
    }
}
