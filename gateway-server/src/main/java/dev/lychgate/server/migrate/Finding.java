package dev.lychgate.server.migrate;

/**
 * A position in a file, and the action that the code there requires.
 *
 * @param line the line, from 1
 * @param column the column, from 1
 * @param subject the class, method or key
 * @param action the change or the setting that is needed, or the reason why the file is left out
 */
public record Finding(int line, int column, Verdict verdict, String subject, String action) {
    @Override
    public String toString() {
        return line + ":" + column + ": " + subject + ": " + action;
    }
}
