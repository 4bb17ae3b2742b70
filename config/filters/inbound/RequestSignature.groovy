import dev.lychgate.filter.FilterExchange
import dev.lychgate.filter.FilterOutcome
import dev.lychgate.filter.InboundFilter
import dev.lychgate.filter.SyncFilter
import java.nio.charset.StandardCharsets
import java.security.MessageDigest
import java.time.Clock
import java.time.DateTimeException
import java.time.Duration
import java.time.Instant
import java.time.ZonedDateTime
import java.time.format.DateTimeFormatter
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

/**
 * Wants requests to /partner/ signed: X-Signature is the HMAC-SHA256 of method, path and Date field, one per line, in
 * hexadecimal digits. The Date may be five minutes off, so that what was overheard is of no use later. The body is not
 * signed; a filter that wants that asks for it by body().
 */
class RequestSignature implements InboundFilter, SyncFilter {
    private static final Duration SKEW = Duration.ofMinutes(5)

    private final byte[] key
    private final Clock clock

    RequestSignature() {
        this((System.getenv('PARTNER_KEY') ?: '').getBytes(StandardCharsets.UTF_8), Clock.systemUTC())
    }

    RequestSignature(byte[] key, Clock clock) {
        this.key = key
        this.clock = clock
    }

    @Override
    boolean applies(FilterExchange exchange) {
        exchange.request.path.startsWith('/partner/')
    }

    @Override
    FilterOutcome filter(FilterExchange exchange) {
        if (key.length == 0) {
            // A failure, and closed: without a key nothing is signed.
            throw new IllegalStateException('PARTNER_KEY is not set')
        }
        def request = exchange.request
        String date = request.headers['date']
        String signature = request.headers['x-signature']
        if (date == null || signature == null || !isNow(date)) {
            return exchange.respond(401, 'a signature and a current date are needed')
        }
        String expected = sign(key, request.method, request.path, date)
        // Takes the same time wherever they differ: nobody learns a signature digit by digit.
        boolean same = MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.US_ASCII), signature.getBytes(StandardCharsets.US_ASCII))
        same ? exchange.proceed() : exchange.respond(401, 'the signature is wrong')
    }

    private boolean isNow(String date) {
        try {
            Instant said = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant()
            Duration.between(said, clock.instant()).abs() <= SKEW
        } catch (DateTimeException ignored) {
            false
        }
    }

    static String sign(byte[] key, String method, String path, String date) {
        Mac mac = Mac.getInstance('HmacSHA256')
        mac.init(new SecretKeySpec(key, 'HmacSHA256'))
        String text = method + '\n' + path + '\n' + date
        HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)))
    }
}
