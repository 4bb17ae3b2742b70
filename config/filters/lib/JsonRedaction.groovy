import com.fasterxml.jackson.core.JsonFactory
import com.fasterxml.jackson.core.JsonGenerator
import com.fasterxml.jackson.core.JsonParser
import com.fasterxml.jackson.core.JsonToken
import com.fasterxml.jackson.core.StreamReadConstraints
import com.fasterxml.jackson.core.async.ByteArrayFeeder
import dev.lychgate.filter.BodyTransform

/**
 * Removes members from a JSON document of any length while it passes, token by token. Numbers keep their digits. Malformed JSON, a text
 * beyond the limit and too many levels cause an exception, which aborts the exchange.
 */
class JsonRedaction implements BodyTransform {
    private final Set<String> secret
    private final JsonParser from
    private final ByteArrayFeeder input
    private final ByteArrayOutputStream out = new ByteArrayOutputStream()
    private final JsonGenerator to
    /** Number of open objects and arrays within the value of a removed member; -1 outside of removed members. */
    private int removed = -1
    private int depth
    private boolean ended
    /** Number of bytes received since the last complete token. */
    private long held

    /** @param longest maximum number of characters of a text */
    static JsonFactory factory(int depth, int longest) {
        JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(depth).maxStringLength(longest).build())
                .build()
    }

    JsonRedaction(JsonFactory factory, Set<String> secret) {
        this.secret = secret
        from = factory.createNonBlockingByteArrayParser()
        input = (ByteArrayFeeder) from.nonBlockingInputFeeder
        to = factory.createGenerator(out)
    }

    @Override
    byte[] piece(byte[] piece) {
        held += piece.length
        input.feedInput(piece, 0, piece.length)
        copy()
    }

    @Override
    byte[] end() {
        input.endOfInput()
        copy()
    }

    @Override
    long heldMemory() {
        held > 4096 ? held : 0
    }

    @Override
    void close() {
        from.close()
        to.close()
    }

    private byte[] copy() {
        for (JsonToken token = from.nextToken(); token != null && token != JsonToken.NOT_AVAILABLE; token = from.nextToken()) {
            held = 0
            next(token)
        }
        to.flush()
        byte[] copied = out.toByteArray()
        out.reset()
        copied
    }

    private void next(JsonToken token) {
        if (ended) {
            throw new IllegalStateException('more than one JSON value')
        }
        int change = token.structStart ? 1 : token.structEnd ? -1 : 0
        depth += change
        if (removed >= 0) {
            removed += change
            removed = removed == 0 ? -1 : removed
        } else if (token == JsonToken.FIELD_NAME && secret.contains(from.currentName())) {
            removed = 0
        } else if (token.numeric) {
            // The number is copied as text, because a double would lose digits.
            to.writeNumber(from.text)
        } else {
            to.copyCurrentEvent(from)
        }
        ended = depth == 0
    }
}
