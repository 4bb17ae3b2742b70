import com.sun.net.httpserver.HttpServer

def good = 'k' * 16
def asked = []
def status = 200
def service = HttpServer.create(new InetSocketAddress(InetAddress.loopbackAddress, 0), 0)
service.createContext('/keys/') { call ->
    asked << call.requestURI.path
    def body = 'acme'.bytes
    call.sendResponseHeaders(status, body.length)
    call.responseBody.withStream { it.write(body) }
}
service.start()
// Returns a filter with an empty cache, and with a timeout that suffices on a slow machine. The settings differ each time, because filters
// with equal settings would be the same object.
def made = 0
def newFilter = {
    def url = "http://127.0.0.1:${service.address.port}/keys/" as String
    filter(service: url, most: 1000 + made++, timeout: '30s')
}

try {
    test('a request without a key is refused without a call') {
        def result = get('/api/orders').through(newFilter())
        assert result.status == 401
        assert result.header('www-authenticate') == 'ApiKey'
        assert result.sent == null
        assert asked.empty
    }

    test('malformed keys are not looked up') {
        assert get('/api/orders').header('x-api-key', '../../admin/aaaaaaaaaa').through(newFilter()).status == 401
        assert asked.empty
    }

    test('a known key passes, and the origin receives its customer') {
        def result = get('/api/orders').header('x-api-key', good).through(newFilter())
        assert result.status == 200
        assert result.sent.header('x-customer') == 'acme'
        assert result.sent.header('x-api-key') == null
        assert result.get(ApiKey.CUSTOMER) == 'acme'
        assert asked == ['/keys/' + good]
    }

    test('the result of the service is cached') {
        asked.clear()
        def same = newFilter()
        3.times {
            assert get('/api/orders').header('x-api-key', good).through(same).status == 200
        }
        assert asked.size() == 1
    }

    test('an unknown key is refused') {
        status = 404
        assert get('/api/orders').header('x-api-key', good).through(newFilter()).status == 401
    }

    test('a failing service rejects all requests') {
        status = 503
        def result = get('/api/orders').header('x-api-key', good).through(newFilter())
        assert result.status == 500
        assert result.sent == null
        assert result.failures[0].cause.message == 'the key service responded with 503'
    }

    test('other paths need no key') {
        assert get('/').through(newFilter()).ran.empty
    }
} finally {
    service.stop(0)
}
