package dev.lychgate.server.migrate;

/**
 * A place in a file, and its consequence.
 *
 * @param line the line, from 1
 * @param column the column, from 1
 * @param subject the class, method or key
 * @param action what the gateway or the author has to do
 */
public record Finding(int line, int column, Verdict verdict, String subject, String action) {
    @Override
    public String toString() {
        return line + ":" + column + ": " + subject + ": " + action;
    }
}
