import dev.lychgate.config.IpLiteral
import dev.lychgate.config.Percent
import dev.lychgate.filter.AttributeKey
import java.nio.charset.StandardCharsets
import java.security.MessageDigest

// Splits clients into variants by percentage, for A/B tests and canaries. A client stays in its variant: its key is hashed to one of 10,000
// slots, and the slots are divided among the variants in the configured order. If the percentages change, only the
// clients between an old and a new boundary change their variant. No state is needed, so all gateways make the same decision.
//
// If a cookie is configured, outbound/AbSplitCookie.groovy stores the variant in it. A client then stays in its variant even if its key or
// the percentages change.

settings {
    @Setting(about = 'the percentage of each variant, 100% in total; 90% stable and 10% canary if empty')
    Map<String, Percent> variants = [:]
    @Setting(about = 'the upstream of a variant; others use the upstream of the route')
    Map<String, String> upstreams = [:]
    @Setting(about = 'the name of the experiment: experiments with different names split independently')
    String experiment = 'canary'
    @Setting(about = 'the beginning of the paths that are split')
    String prefix = '/shop'
    @Setting(about = 'the request header that identifies a client, such as the id of a user')
    String keyHeader = null
    @Setting(about = 'the request cookie that identifies a client without this header')
    String keyCookie = null
    @Setting(about = 'the cookie that remembers the variant')
    String cookie = null
    @Setting(about = 'the time for which the cookie remembers the variant', min = '1s', max = '8760h')
    Duration maxAge = 168.h
    @Setting(about = 'the request header that contains the variant for the origin')
    String header = 'x-variant'
}

Map<String, Integer> shares = [:]
(variants ?: [stable: new Percent(90), canary: new Percent(10)]).each { name, percent -> shares[name] = percent.value() }
if (shares.values().sum() != 100) {
    throw new IllegalArgumentException("variants: ${shares.values().sum()}% together (expected: 100%)")
}
def malformed = shares.keySet().find { !(it ==~ /[A-Za-z0-9_-]{1,64}/) }
if (malformed != null) {
    throw new IllegalArgumentException("variants: $malformed (expected: 1 to 64 letters, digits and _-)")
}
def unknown = upstreams.keySet() - shares.keySet()
if (unknown) {
    throw new IllegalArgumentException("upstreams: ${unknown.join(', ')} (expected: ${shares.keySet().join(' or ')})")
}
// Attributes for filters that run later: the variant, and the cookie that outbound/AbSplitCookie.groovy sets.
def variantKey = AttributeKey.of('ab.' + experiment, String)
def cookieKey = AttributeKey.of('ab.cookie', Map)
String attributes = "Path=/; Max-Age=${maxAge.toSeconds()}; HttpOnly; SameSite=Lax"

applies { exchange -> exchange.request.path.startsWith(prefix) }

filter { exchange ->
    def request = exchange.request
    String remembered = cookie == null ? null : request.cookie(cookie)
    String variant = remembered
    if (!shares.containsKey(remembered)) {
        // A client could send several keys to choose its variant, so a repeated header is ignored.
        List<String> headers = keyHeader == null ? [] : request.headers.getAll(keyHeader)
        String id = headers.size() == 1 ? headers[0] : null
        if (!id) {
            id = keyCookie == null ? null : request.cookie(keyCookie)
        }
        variant = choose(shares, slot(experiment, id ?: IpLiteral.text(exchange.clientAddress)))
        if (cookie != null) {
            Map<String, String> all = [:]
            // Other experiments may also set cookies.
            exchange.get(cookieKey)?.each { name, value -> all[name.toString()] = value.toString() }
            all[cookie] = variant + '; ' + attributes
            exchange.set(cookieKey, all)
        }
    }
    if (cookie != null) {
        // Origins do not receive the cookie.
        request.removeCookie(cookie)
    }
    exchange.set(variantKey, variant)
    // Replaces headers of this name that the client sent.
    request.headers[header] = variant
    if (upstreams.containsKey(variant)) {
        exchange.upstream = upstreams[variant]
    }
}

/** Returns the slot of a key, 0 to 9,999. A cryptographic hash distributes even similar keys evenly. */
static int slot(String experiment, String id) {
    byte[] hash = MessageDigest.getInstance('SHA-256').digest((experiment + '\n' + id).getBytes(StandardCharsets.UTF_8))
    int number = (hash[0] & 0xff) << 24 | (hash[1] & 0xff) << 16 | (hash[2] & 0xff) << 8 | (hash[3] & 0xff)
    Integer.remainderUnsigned(number, 10_000)
}

static String choose(Map<String, Integer> shares, int slot) {
    int end = 0
    for (Map.Entry<String, Integer> share : shares.entrySet()) {
        end += share.value * 100
        if (slot < end) {
            return share.key
        }
    }
    throw new IllegalStateException('the percentages are 100% in total')
}
