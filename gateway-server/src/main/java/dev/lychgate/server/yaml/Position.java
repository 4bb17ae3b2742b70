package dev.lychgate.server.yaml;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * A place in a file.
 *
 * @param file as the user named it; empty for the file that is being read
 * @param line counted from 1; 0 means the file as a whole
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

    /** The file of this place. @param first the file that was read first */
    String in(String first) {
        return file.isEmpty() ? first : file;
    }

    /** How this is named to a reader of {@code other}: by its file only if that is another one. */
    String seenFrom(Position other) {
        return (file.equals(other.file) ? "" : file + ", ") + "line " + line;
    }
}
