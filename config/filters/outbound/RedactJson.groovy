import com.fasterxml.jackson.core.JsonFactory
import com.fasterxml.jackson.core.JsonGenerator
import com.fasterxml.jackson.core.JsonParser
import com.fasterxml.jackson.core.JsonToken
import dev.lychgate.config.ByteSize
import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.OutboundFilter
import dev.lychgate.filter.BodyNeed
import dev.lychgate.filter.FailurePolicy
import dev.lychgate.filter.Setting
import dev.lychgate.filter.SyncFilter

/**
 * Removes secret members from JSON responses, at any depth. It needs the complete body, so its length is limited. A longer body, or one
 * that is not JSON, is not sent: no response is better than a secret.
 */
class RedactJson implements OutboundFilter, SyncFilter {
    record Settings(
            @Setting(about = 'the names of the members that are removed', min = '1', max = '1000', defaultValue = ['password', 'cardNumber', 'iban'])
            List<String> members,
            @Setting(about = 'the longest body', min = '1KiB', max = '64MiB', defaultValue = '1MiB')
            ByteSize maxBody) {}

    private static final JsonFactory JSON = new JsonFactory()

    private final Set<String> secret
    private final int limit

    RedactJson(Settings settings) {
        secret = settings.members() as Set
        limit = settings.maxBody().asInt()
    }

    @Override
    BodyNeed body() {
        BodyNeed.whole(limit)
    }

    @Override
    FailurePolicy onFailure() {
        FailurePolicy.FAIL_CLOSED
    }

    @Override
    boolean applies(FilterExchange exchange) {
        String type = exchange.response.headers['content-type']
        // Also application/problem+json.
        type != null && type ==~ /(?i)application\/([a-z0-9.-]+\+)?json *(;.*)?/
    }

    @Override
    FilterOutcome filter(FilterExchange exchange) {
        def response = exchange.response
        if (response.headers['content-encoding'] != null) {
            throw new IllegalStateException('a response with a content coding cannot be read')
        }
        response.body = redacted(response.body)
        exchange.proceed()
    }

    /** Copies token by token, without a tree. */
    private byte[] redacted(byte[] body) {
        def out = new ByteArrayOutputStream(body.length)
        JsonParser from = JSON.createParser(body)
        JsonGenerator to = JSON.createGenerator(out)
        for (JsonToken token = from.nextToken(); token != null; token = from.nextToken()) {
            if (token == JsonToken.FIELD_NAME && secret.contains(from.currentName())) {
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
