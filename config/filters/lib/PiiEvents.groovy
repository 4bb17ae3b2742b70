import dev.lychgate.filter.BodyTransform
import dev.lychgate.filter.ServerSentEvent
import groovy.json.JsonOutput
import java.nio.charset.StandardCharsets
import java.util.function.Predicate

/**
 * Masks the texts in the events of one response. A text at one of the paths {@code deltas} continues in later events. If its end is held
 * back, the end is sent with the next event of that text. When the text ends, the rest is sent in a copy of its last event. This class is
 * also a body transform that runs after the events: at the end of the body, it sends the texts that are still held back.
 */
class PiiEvents implements BodyTransform {
    /** Maximum number of texts that continue at the same time. */
    private static final int MOST_TEXTS = 64
    /** The members of an event that identify the text that the event continues. */
    private static final List<String> SCOPE = ['index', 'output_index', 'content_index', 'item_id']
    /** Suffixes of the types of those events that end texts. */
    private static final List<String> ENDS = ['_stop', '.done', '.completed', '.failed', '.incomplete', 'error']

    /** A text that continues in later events. */
    private static class Delta {
        final PiiText.Parts parts = new PiiText.Parts()
        final Map<String, Object> scope
        /** The last event of the text, masked. */
        Object json
        String type

        Delta(Map<String, Object> scope) {
            this.scope = scope
        }
    }

    private final PiiText text
    private final Set<String> deltas
    private final Map<String, Delta> open = [:]
    private boolean atLineStart = true

    // State of the event that is being masked.
    private Map<String, Object> scope = [:]
    private Set<String> continued = []
    private List<String> finished = []

    /** @param deltas paths without the positions in arrays, such as {@code choices.delta.content} */
    PiiEvents(PiiText text, Set<String> deltas) {
        this.text = text
        this.deltas = deltas
    }

    /** Loads the JSON writer, which reads from jars and must not do so on an event loop. */
    static void load() {
        JsonOutput.toJson([a: 'b'])
    }

    void next(ServerSentEvent event) {
        String data = event.data.strip()
        if (data == '[DONE]') {
            flush(event) { true }
        } else if (data.startsWith('{')) {
            next(event, (Map<String, Object>) event.json)
        } else {
            event.data = text.mask(event.data)
        }
    }

    private void next(ServerSentEvent event, Map<String, Object> json) {
        scope = json.subMap(SCOPE).findAll { it.value != null }
        continued = []
        finished = []
        String type = json['type'] instanceof String ? (String) json['type'] : ''
        boolean ends = ENDS.any { type.endsWith(it) }
        Object masked = mask(json, '', scope.toString(), ends)
        for (String key : continued) {
            open[key]?.json = masked
            open[key]?.type = event.type == 'message' ? null : event.type
        }
        // Sends the rest of each text that ends with this event, although the event contains no part of that text.
        flush(event) { String key ->
            ends && isWithin(scope, open[key].scope) || finished.any { key.startsWith(it) }
        }
        if (masked != json) {
            event.json = masked
        }
    }

    /** Returns whether an event with this scope ends a text: an event that names a block ends only texts of that block. */
    private static boolean isWithin(Map<String, Object> event, Map<String, Object> text) {
        event.every { name, value -> !text.containsKey(name) || text[name] == value }
    }

    private void flush(ServerSentEvent event, Predicate<String> which) {
        for (String key : open.keySet().findAll { which.test(it) }) {
            Delta delta = open.remove(key)
            if (!delta.parts.held.isEmpty()) {
                def copy = event.insertBefore('')
                copy.json = rest(key, delta)
                copy.type = delta.type
            }
        }
    }

    /** Returns the last event of a text, with the rest of the text in place of the part that was already sent. */
    private Object rest(String key, Delta delta) {
        refill(delta.json, '', delta.scope.toString(), key, text.next(delta.parts, '', true))
    }

    /** @param key the path with the scope and the positions in arrays */
    private Object mask(Object value, String path, String key, boolean ends) {
        if (value instanceof Map) {
            boolean last = ends || value['finish_reason'] != null
            if (last && !ends) {
                finished << key + '.'
            }
            Map<String, Object> masked = [:]
            ((Map<String, Object>) value).each { name, member -> masked[name] = mask(member, under(path, name), key + '.' + name, last) }
            return masked
        }
        if (value instanceof List) {
            List<Object> masked = []
            ((List<Object>) value).eachWithIndex { item, i -> masked << mask(item, path, key + place(item, i), ends) }
            return masked
        }
        if (value instanceof String) {
            return deltas.contains(path) ? part((String) value, key, ends) : text.mask((String) value)
        }
        value instanceof Number && text.isCard((Number) value) ? text.mask(value.toString()) : value
    }

    private String part(String part, String key, boolean last) {
        Delta delta = open[key] ?: new Delta(scope)
        if (!last && open.put(key, delta) == null && open.size() > MOST_TEXTS) {
            throw new IllegalStateException("more than $MOST_TEXTS texts continue at once")
        }
        continued << key
        String masked = text.next(delta.parts, part, last)
        if (last) {
            open.remove(key)
        }
        masked
    }

    private Object refill(Object value, String path, String key, String target, String with) {
        if (value instanceof Map) {
            Map<String, Object> copy = [:]
            ((Map<String, Object>) value).each { name, member -> copy[name] = refill(member, under(path, name), key + '.' + name, target, with) }
            return copy
        }
        if (value instanceof List) {
            List<Object> copy = []
            ((List<Object>) value).eachWithIndex { item, i -> copy << refill(item, path, key + place(item, i), target, with) }
            return copy
        }
        value instanceof String && deltas.contains(path) ? (key == target ? with : '') : value
    }

    private static String under(String path, String name) {
        path.isEmpty() ? name : path + '.' + name
    }

    private static String place(Object item, int i) {
        Object index = item instanceof Map ? ((Map) item)['index'] : null
        "[${index instanceof Number ? index : i}]"
    }

    @Override
    byte[] piece(byte[] piece) {
        if (piece.length > 0) {
            atLineStart = piece[piece.length - 1] in [(byte) 10, (byte) 13]
        }
        piece
    }

    @Override
    byte[] end() {
        StringBuilder events = new StringBuilder()
        open.each { key, delta ->
            if (!delta.parts.held.isEmpty()) {
                // The body may end within an event.
                events << (events.length() == 0 ? (atLineStart ? '\n' : '\n\n') : '')
                events << (delta.type == null ? '' : "event: ${delta.type}\n")
                events << "data: ${JsonOutput.toJson(rest(key, delta))}\n\n"
            }
        }
        events.toString().getBytes(StandardCharsets.UTF_8)
    }
}
