package dev.lychgate.server.yaml;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * Parses text into nodes with positions. It accepts a subset of YAML 1.2: one document without anchors, aliases and
 * tags, at most {@link #DEEPEST} levels deep, with at most {@link #MOST} keys and values. The parser events are checked
 * before nodes are composed, because the composer recurses for each level and keeps every node in memory.
 */
final class YamlDocument {
    static final int DEEPEST = 32;

    /**
     * The maximum number of keys and values. Each key or value needs about 250 bytes of memory while the file is read.
     * A simple route consists of ten keys and values.
     */
    static final int MOST = 500_000;

    /** A schema without the merge key, because {@code <<} is an ordinary key in YAML 1.2. */
    private static final Schema NO_MERGE = new CoreSchema() {
        @Override
        public ScalarResolver getScalarResolver() {
            return new CoreScalarResolver(false);
        }
    };

    private final String file;
    private final LoadSettings settings;

    private YamlDocument(String file) {
        this.file = file;
        this.settings = LoadSettings.builder()
                .setLabel(file)
                .setSchema(NO_MERGE)
                .setUseMarks(true)
                .setAllowDuplicateKeys(false)
                .setAllowRecursiveKeys(false)
                // The parser allows keys that are not scalars, because Section refuses them with a more precise
                // position.
                .setAllowNonScalarKeys(true)
                .setMaxAliasesForCollections(0)
                .setCodePointLimit(YamlSource.LARGEST)
                .build();
    }

    static Node parse(String file, String text) throws FaultyConfigException {
        YamlDocument document = new YamlDocument(file);
        try {
            document.checkEvents(text);
            return new Compose(document.settings)
                    .composeString(text)
                    .orElseThrow(() -> Faults.only(file, Position.START, "the file is empty", "at least 'listeners'"));
        } catch (MarkedYamlEngineException e) {
            throw document.syntax(e);
        } catch (ReaderException e) {
            String character = String.format("a character that YAML does not allow (U+%04X)", e.getCodePoint());
            throw Faults.only(file, at(text, e.getPosition()), character, "printable text");
        } catch (YamlEngineException e) {
            throw Faults.only(file, Position.WHOLE_FILE, String.valueOf(e.getMessage()), "YAML 1.2");
        }
    }

    private void checkEvents(String text) throws FaultyConfigException {
        int depth = 0;
        int documents = 0;
        int nodes = 0;
        for (Event event : new Parse(settings).parseString(text)) {
            switch (event.getEventId()) {
                case DocumentStart -> {
                    if (++documents > 1) {
                        throw refuse(event, "a second document", "one document per file");
                    }
                }
                case Alias -> throw refuse(event, "an alias", "the value itself; anchors are not supported");
                case MappingStart, SequenceStart -> {
                    if (++depth > DEEPEST) {
                        throw refuse(event, "nested too deeply", "at most " + DEEPEST + " levels");
                    }
                }
                case MappingEnd, SequenceEnd -> depth--;
                default -> {}
            }
            if (event instanceof NodeEvent node) {
                checkNode(node);
                if (++nodes > MOST) {
                    throw refuse(event, "too many keys and values", "at most " + MOST);
                }
            }
        }
    }

    private void checkNode(NodeEvent event) throws FaultyConfigException {
        if (event.getAnchor().isPresent() && event.getEventId() != Event.ID.Alias) {
            throw refuse(event, "an anchor (&" + event.getAnchor().get() + ")", "no anchors; write the value again");
        }
        String tag = "";
        if (event instanceof ScalarEvent scalar) {
            tag = scalar.getTag().orElse("");
        } else if (event instanceof CollectionStartEvent collection) {
            tag = collection.getTag().orElse("");
        }
        if (!tag.isEmpty()) {
            throw refuse(event, "a tag (" + tag + ")", "no tags; quote the value if it begins with '!'");
        }
    }

    private FaultyConfigException refuse(Event event, String problem, String expected) {
        return Faults.only(file, Position.of(event.getStartMark()), problem, expected);
    }

    private FaultyConfigException syntax(MarkedYamlEngineException e) {
        Position at = Position.of(e.getProblemMark().or(e::getContextMark));
        String problem = String.valueOf(e.getProblem());
        if (problem.contains("TAB")) {
            return Faults.only(file, at, "a tab character", "spaces; YAML is not indented with tabs");
        }
        String context = e.getContext();
        String where = context == null || context.isEmpty() ? "" : context + ": ";
        return Faults.only(file, at, "not YAML: " + where + problem, "");
    }

    /** Converts an offset in code points to a line and a column. */
    private static Position at(String text, int codePoint) {
        int line = 1;
        int column = 1;
        int offset = 0;
        for (int seen = 0; seen < codePoint && offset < text.length(); seen++) {
            int c = text.codePointAt(offset);
            offset += Character.charCount(c);
            column = c == '\n' ? 1 : column + 1;
            line += c == '\n' ? 1 : 0;
        }
        return new Position("", line, column);
    }
}
