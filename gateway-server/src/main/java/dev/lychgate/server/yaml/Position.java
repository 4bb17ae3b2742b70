package dev.lychgate.server.yaml;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A position in a file.
 *
 * @param file the file in the form in which the user named it; empty for the file that is read first
 * @param line counted from 1; 0 for the whole file
 * @param column counted from 1
 */
record Position(String file, int line, int column) {
    static final Position WHOLE_FILE = new Position("", 0, 0);
    static final Position START = new Position("", 1, 1);

    static Position of(Node node) {
        return of(node.getStartMark());
    }

    static Position of(Optional<Mark> mark) {
        return mark.map(m -> new Position(m.getName(), m.getLine() + 1, m.getColumn() + 1))
                .orElse(START);
    }

    /**
     * Returns the file of this position.
     *
     * @param first the file that was read first
     */
    String in(String first) {
        return file.isEmpty() ? first : file;
    }

    /**
     * Returns this position as text, for a message about {@code other}. The text contains the file only if {@code
     * other} is in another file.
     */
    String seenFrom(Position other) {
        return (file.equals(other.file) ? "" : file + ", ") + "line " + line;
    }
}
