package dev.lychgate.server.yaml;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** A place in a file, both counted from 1; line 0 means the file as a whole. */
record Position(int line, int column) {
    static final Position WHOLE_FILE = new Position(0, 0);
    static final Position START = new Position(1, 1);

    static Position of(Node node) {
        return of(node.getStartMark());
    }

    static Position of(Optional<Mark> mark) {
        return mark.map(m -> new Position(m.getLine() + 1, m.getColumn() + 1)).orElse(START);
    }
}
