import java.nio.charset.StandardCharsets
import java.nio.file.Files
import java.nio.file.Path
import java.security.MessageDigest
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicReference
import java.util.function.LongSupplier
import org.slf4j.LoggerFactory

// Accepts requests with an X-Api-Key that a file lists, and limits the requests of each customer. The file contains the SHA-256 of each
// key, so it does not reveal the keys. The file is read again while the filter runs, so a removed key is soon rejected, without a reload.
// The limits survive reloads; changed limits begin with full buckets. Each gateway process counts separately.

settings {
    @Setting(about = 'the file, relative to the working directory: on each line the SHA-256 of a key in hexadecimal digits and its customer')
    String file = null
    @Setting(about = 'the beginning of the paths that need a key')
    String prefix = '/api/'
    @Setting(about = 'the header that is set to the customer')
    String header = 'x-customer'
    @Setting(about = 'requests that a customer may send at once', min = 1, max = 1_000_000)
    int size = 100
    @Setting(about = 'the time in which an empty bucket becomes full', min = '100ms', max = '24h')
    Duration per = 1.m
    @Setting(about = 'the time after which the file is read again', min = '100ms', max = '1h')
    Duration reread = 10.s
}

order(-100)
// Detects a missing file when the filter is deployed, and not at the first request.
selfCheck {
    if (file == null) {
        throw new IllegalStateException('the setting file is missing')
    }
}
applies { exchange -> exchange.request.path.startsWith(prefix) }

// The script itself also runs when no file is needed, for example to list the filters.
def keys = new AtomicReference<Map<String, String>>(file == null ? [:] as Map<String, String> : read(file))
def fullAt = shared("$size per $per") { new ConcurrentHashMap<String, Long>() }
def buckets = new TokenBuckets(fullAt, size, size * 1000d / per.toMillis(), 1_000_000, { System.nanoTime() } as LongSupplier)

if (file != null) {
    def timer = closeLater(new Timer('api-keys', true))
    timer.schedule(new TimerTask() {
        private String logged = ''

        @Override
        void run() {
            String failure = ''
            try {
                keys.set(read(file))
            } catch (Exception e) {
                failure = e.toString()
            }
            if (failure != '' && failure != logged) {
                LoggerFactory.getLogger('filters.ApiKeyFile').warn('the last keys stay in use: {}', failure)
            }
            logged = failure
        }
    }, reread.toMillis(), reread.toMillis())
}

String owned = header.toLowerCase(Locale.ROOT)

filter { exchange ->
    def headers = exchange.request.headers
    List<String> given = headers.getAll('x-api-key')
    // Origins do not receive the key. Many origins interpret x_customer as x-customer, so both are removed.
    headers.remove('x-api-key')
    headers.names.findAll { it.toLowerCase(Locale.ROOT).replace('_', '-') == owned }.each { headers.remove(it) }
    String customer = given.size() == 1 && given[0].length() in 16..128 ? keys.get()[digest(given[0])] : null
    if (customer == null) {
        return exchange.respond(401, 'an API key is needed').header('www-authenticate', 'ApiKey')
    }
    if (!buckets.take(customer)) {
        return exchange.respond(429, 'too many requests').header('retry-after', Long.toString(Math.max(1L, buckets.delay(customer))))
    }
    headers.set(header, customer)
    exchange['customer'] = customer
}

static String digest(String key) {
    HexFormat.of().formatHex(MessageDigest.getInstance('SHA-256').digest(key.getBytes(StandardCharsets.UTF_8)))
}

/** Returns the customers by the digests of their keys. An empty file is refused, because a program may be writing it. */
static Map<String, String> read(String file) {
    Map<String, String> keys = [:]
    Files.readAllLines(Path.of(file)).eachWithIndex { String line, int i ->
        String text = line.strip()
        if (!text.isEmpty() && !text.startsWith('#')) {
            def form = text =~ /([0-9a-f]{64})\s+([A-Za-z0-9._-]{1,64})/
            if (!form.matches()) {
                throw new IllegalArgumentException("$file:${i + 1}: expected the SHA-256 of a key and a customer")
            }
            keys[form.group(1)] = form.group(2)
        }
    }
    if (keys.isEmpty()) {
        throw new IllegalArgumentException("$file has no keys")
    }
    keys
}
