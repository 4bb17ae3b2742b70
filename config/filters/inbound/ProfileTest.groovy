import com.sun.net.httpserver.HttpServer
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.Executors

def asked = new ConcurrentLinkedQueue<String>()
def failures = 0
def responses = ['/plans/ann': 'gold', '/flags/ann': 'beta,dark']
def service = HttpServer.create(new InetSocketAddress(InetAddress.loopbackAddress, 0), 0)
// Two threads, because two calls run at the same time.
def threads = Executors.newFixedThreadPool(2)
service.executor = threads
service.createContext('/') { call ->
    def path = call.requestURI.path
    asked << path
    def broken = path.startsWith('/plans/') && failures-- > 0
    def body = broken ? null : responses[path]
    if (body == 'silent') {
        return
    }
    call.sendResponseHeaders(broken ? 503 : body == null ? 404 : 200, body == null ? -1 : body.length())
    if (body != null) {
        call.responseBody << body
    }
    call.close()
}
service.start()
def at = "http://127.0.0.1:${service.address.port}"
def profile = { patience = '5s' -> filter(plans: "$at/plans/" as String, flags: "$at/flags/" as String, patience: patience) }

try {
    test('the origin receives the values of both services for the customer') {
        def result = get('/').cookie('customer', 'ann').through(profile())
        assert result.status == 200
        assert result.sent.header('x-plan') == 'gold'
        assert result.sent.header('x-flags') == 'beta,dark'
        assert asked.toSorted() == ['/flags/ann', '/plans/ann']
    }

    test('the header of the client is not trusted') {
        def result = get('/').header('x-plan', 'gold').header('x-flags', 'admin').through(profile())
        assert result.sent.header('x-plan') == null
        assert result.sent.header('x-flags') == null
    }

    test('a customer that a service does not know gets the default') {
        def result = get('/').cookie('customer', 'bob').through(profile())
        assert result.status == 200
        assert result.sent.header('x-plan') == 'basic'
        assert result.sent.header('x-flags') == null
    }

    test('no service is called for other values than customers') {
        asked.clear()
        assert get('/').cookie('customer', '../admin').through(profile()).status == 200
        assert get('/').through(profile()).status == 200
        assert asked.empty
    }

    test('a request that fails is sent once more') {
        asked.clear()
        failures = 1
        def result = get('/').cookie('customer', 'ann').through(profile())
        assert result.status == 200
        assert result.sent.header('x-plan') == 'gold'
        assert asked.count('/plans/ann') == 2
        assert asked.count('/flags/ann') == 1
    }

    test('a failing service affects only its own field') {
        asked.clear()
        failures = 2
        def result = get('/').cookie('customer', 'ann').through(profile())
        assert result.status == 200
        assert result.sent.header('x-plan') == 'basic'
        assert result.sent.header('x-flags') == 'beta,dark'
        assert asked.count('/plans/ann') == 2
    }

    test('a silent service is not awaited longer than the timeout') {
        responses['/flags/ann'] = 'silent'
        def result = get('/').cookie('customer', 'ann').through(profile('2s'))
        assert result.status == 200
        assert result.sent.header('x-plan') == 'gold'
        assert result.sent.header('x-flags') == null
    }
} finally {
    service.stop(0)
    threads.shutdownNow()
}
