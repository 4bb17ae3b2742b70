// Sets security headers in responses, including error responses of the gateway, and removes headers that describe the server.

settings {
    @Setting(about = 'Strict-Transport-Security, for browsers')
    String transport = 'max-age=31536000; includeSubDomains'
    @Setting(about = 'Referrer-Policy')
    String referrer = 'strict-origin-when-cross-origin'
    @Setting(about = 'X-Frame-Options')
    String frames = 'DENY'
    @Setting(about = 'Content-Security-Policy of responses that have none: the application knows better what its pages load')
    String content = "default-src 'self'; frame-ancestors 'none'"
    @Setting(about = 'further headers, which are set in all responses')
    Map<String, String> more = [:]
    @Setting(about = 'the headers that are removed', max = 100)
    List<String> remove = ['server', 'x-powered-by', 'x-aspnet-version']
}

order(500)

Map<String, String> policy = [
    'strict-transport-security': transport,
    'x-content-type-options'   : 'nosniff',
    'referrer-policy'          : referrer,
    'x-frame-options'          : frames,
] + more

filter { exchange ->
    def headers = exchange.response.headers
    remove.each { headers.remove(it) }
    policy.each { name, value -> headers.set(name, value) }
    if (!headers.contains('content-security-policy')) {
        headers['content-security-policy'] = content
    }
}
