// Tells origins the one language they are to speak: the first of the client's that they can.

def spoken = ['en', 'de', 'fr'] as Set

filter { exchange ->
    String wanted = exchange.request.headers['accept-language'] ?: 'en'
    String chosen = wanted.split(',').collect { it.takeBefore(';').trim().take(2) }.find { spoken.contains(it) }
    exchange.request.headers['x-language'] = chosen ?: 'en'
}
