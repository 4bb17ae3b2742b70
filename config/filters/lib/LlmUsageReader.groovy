import dev.lychgate.filter.BodyTransform

/**
 * Reads the token usage that a response of a language model reports, while the body passes. The memory use does not depend on the length of
 * the body or of its events. Supported are the {@code usage} objects of OpenAI and Anthropic, in JSON bodies and in server-sent events.
 * Reported values are totals of the response, so the last one of each name counts.
 */
class LlmUsageReader implements BodyTransform, JsonPaths.Values {
    /**
     * The kinds of tokens by their reported names. OpenAI counts cached tokens as input and Anthropic does not, but the two use different
     * names.
     */
    private static final Map<String, String> KINDS = [
            prompt_tokens: 'input', input_tokens: 'input', completion_tokens: 'output', output_tokens: 'output',
            'prompt_tokens_details/cached_tokens': 'cached input', 'input_tokens_details/cached_tokens': 'cached input',
            cache_read_input_tokens: 'cache-read', cache_creation_input_tokens: 'cache-write']
    /** Paths of the objects that contain usage and model: the document itself, message_start of Anthropic, events of the Responses API. */
    private static final List<String> AROUND = ['', 'message/', 'response/']

    private static final int LF = 0x0a
    private static final int CR = 0x0d

    private enum Place { LINE_START, NAME, SKIPPED, AFTER_COLON, DATA }

    private final boolean events
    private final JsonPaths json = new JsonPaths(this)
    private final Map<String, Long> pending = [:]
    private final Map<String, Long> reported = [:]
    private Place place = Place.LINE_START
    private final StringBuilder name = new StringBuilder()
    private boolean afterReturn
    private boolean dataInEvent
    private long dataEvents
    private String model

    /** @param events whether the body is an event stream; otherwise it is JSON */
    LlmUsageReader(boolean events) {
        this.events = events
    }

    /** Returns the tokens by kind: input, output, cache-read, cache-write; without the kinds that were not reported. */
    Map<String, Long> usage() {
        Map<String, Long> usage = new LinkedHashMap<>(reported)
        Long cached = usage.remove('cached input')
        if (cached != null) {
            usage['input'] = Math.max(0L, (usage['input'] ?: 0L) - cached)
            usage['cache-read'] = cached + (usage['cache-read'] ?: 0L)
        }
        usage
    }

    /** Returns the reported name of the model; null if there is none. */
    String model() {
        model
    }

    /** Returns the number of events with data. */
    long events() {
        dataEvents
    }

    @Override
    boolean changes() {
        false
    }

    @Override
    byte[] piece(byte[] piece) {
        for (int i = 0; i < piece.length; i++) {
            int b = piece[i] & 0xff
            if (events) {
                inStream(b)
            } else {
                json.next(b)
            }
        }
        piece
    }

    /** Lines end with CR, LF or CRLF; a blank line ends an event. */
    private void inStream(int b) {
        boolean secondOfBreak = afterReturn && b == LF
        afterReturn = b == CR
        if (secondOfBreak) {
            return
        }
        if (b == LF || b == CR) {
            endOfLine()
            return
        }
        if (place == Place.AFTER_COLON) {
            place = Place.DATA
            if (b == 0x20) {
                return
            }
        }
        if (place == Place.LINE_START) {
            place = Place.NAME
            name.setLength(0)
        }
        if (place == Place.DATA) {
            json.next(b)
        } else if (place == Place.NAME && b == 0x3a) {
            place = isData() ? Place.AFTER_COLON : Place.SKIPPED
            dataInEvent |= isData()
        } else if (place == Place.NAME && name.length() < 8) {
            name.append((char) b)
        }
    }

    /** Returns whether the current line is data. A byte order mark may precede the first line. */
    private boolean isData() {
        String field = name.toString()
        field == 'data' || (dataEvents == 0 && field == '\u00ef\u00bb\u00bfdata')
    }

    private void endOfLine() {
        if (place == Place.LINE_START) {
            dataEvents += dataInEvent ? 1 : 0
            dataInEvent = false
            json.reset()
            pending.clear()
        } else if (place == Place.DATA || place == Place.AFTER_COLON) {
            // The data of an event continues with its next line of data.
            json.next(LF)
        }
        place = Place.LINE_START
    }

    @Override
    void value(String path, String text) {
        for (String around : AROUND) {
            // The model is logged, so a name with control characters is ignored.
            if (path == around + 'model' && text ==~ /[!-~]+/) {
                model = text
            } else if (path.startsWith(around + 'usage/')) {
                String kind = KINDS[path.substring(around.length() + 6)]
                if (kind != null && text ==~ /[0-9]{1,15}/) {
                    pending[kind] = text.toLong()
                }
            }
        }
    }

    /** Values count only when their object is complete, so that a truncated body reports no partial usage. */
    @Override
    void closed(String path) {
        if (path == '') {
            pending.clear()
        } else if (AROUND.any { path == it + 'usage' }) {
            reported.putAll(pending)
            pending.clear()
        }
    }
}
