test('a browser passes') {
    assert get('/').header('user-agent', 'Mozilla/5.0 (X11; Linux x86_64)').through(filter).status == 200
}

test('tools of attackers and scrapers are refused, in any case') {
    ['sqlmap/1.8', 'Mozilla/5.0 Nikto/2.5', 'python-requests/2.32'].each { agent ->
        def result = get('/').header('user-agent', agent).through(filter)
        assert result.status == 403
        assert result.sent == null
    }
}

test('a client without the header is refused') {
    assert get('/').through(filter).status == 403
}

test('a part of a word does not match') {
    assert get('/').header('user-agent', 'scrapyard-browser/1.0').through(filter).status == 200
}

test('agents, status and the requirement of a user agent are settings') {
    def own = filter(agents: '^curl/', required: false, status: 429)
    assert get('/').header('user-agent', 'curl/8.5').through(own).status == 429
    assert get('/').header('user-agent', 'sqlmap/1.8').through(own).status == 200
    assert get('/').through(own).status == 200
}
