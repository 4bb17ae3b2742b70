import com.fasterxml.jackson.core.JsonFactory
import com.fasterxml.jackson.core.JsonGenerator
import com.fasterxml.jackson.core.JsonParser
import com.fasterxml.jackson.core.JsonToken
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.OutboundFilter
import dev.lychgate.filter.BodyNeed
import dev.lychgate.filter.FailurePolicy
import dev.lychgate.filter.SyncFilter

/**
 * Takes secrets out of answers in JSON, however deep they lie. Needs the body whole, and so has a limit; what is longer, or
 * is no JSON, is not sent at all: better no answer than a secret.
 */
class RedactJson implements OutboundFilter, SyncFilter {
    private static final Set<String> SECRET = ['password', 'cardNumber', 'iban'] as Set
    private static final JsonFactory JSON = new JsonFactory()

    @Override
    BodyNeed body() {
        BodyNeed.whole(1 << 20)
    }

    @Override
    FailurePolicy onFailure() {
        FailurePolicy.FAIL_CLOSED
    }

    @Override
    boolean applies(FilterExchange exchange) {
        String type = exchange.response.headers['content-type']
        type != null && type.startsWith('application/json')
    }

    @Override
    FilterOutcome filter(FilterExchange exchange) {
        def response = exchange.response
        if (response.headers['content-encoding'] != null) {
            throw new IllegalStateException('an answer that is encoded can not be looked into')
        }
        response.body = redacted(response.body)
        exchange.proceed()
    }

    /** Copies token by token: no tree is built, however large the answer. */
    private static byte[] redacted(byte[] body) {
        def out = new ByteArrayOutputStream(body.length)
        JsonParser from = JSON.createParser(body)
        JsonGenerator to = JSON.createGenerator(out)
        for (JsonToken token = from.nextToken(); token != null; token = from.nextToken()) {
            if (token == JsonToken.FIELD_NAME && SECRET.contains(from.currentName())) {
                from.nextToken()
                from.skipChildren()
            } else {
                to.copyCurrentEvent(from)
            }
        }
        to.close()
        out.toByteArray()
    }
}
