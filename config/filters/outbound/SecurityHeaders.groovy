// What every answer says about itself, our own error answers included, and what none needs to say.

order(500)

Map<String, String> policy = [
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options'   : 'nosniff',
    'referrer-policy'          : 'strict-origin-when-cross-origin',
    'x-frame-options'          : 'DENY',
]
List<String> talkative = ['server', 'x-powered-by', 'x-aspnet-version']

filter { exchange ->
    def headers = exchange.response.headers
    policy.each { name, value -> headers.set(name, value) }
    // An application knows better what its pages load.
    if (!headers.contains('content-security-policy')) {
        headers['content-security-policy'] = "default-src 'self'; frame-ancestors 'none'"
    }
    talkative.each { headers.remove(it) }
}
