package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.Sha256;

/**
 * One file of filter code.
 *
 * @param path the path below the filter directory, with slashes: {@code inbound/auth/Token.groovy}
 * @param text the content of the file
 */
public record FilterSource(String path, String text) {
    String baseName() {
        String file = path.substring(path.lastIndexOf('/') + 1);
        return file.endsWith(".groovy") ? file.substring(0, file.length() - ".groovy".length()) : file;
    }

    boolean isJava() {
        return path.endsWith(".java");
    }

    /** Returns the SHA-256 of the text, in hexadecimal digits. */
    public String digest() {
        return Sha256.of(text);
    }
}
