// Refuses clients that say they are what is not wanted here. Those that lie need other means.

order(-200)

def unwanted = ~/(?i)\b(sqlmap|nikto|masscan|zgrab|python-requests|scrapy)\b/

applies { exchange ->
    String agent = exchange.request.headers['user-agent']
    // A browser always has one; so does every well-meaning client.
    agent == null || unwanted.matcher(agent).find()
}

filter { exchange ->
    exchange.log.info('refused: {}', exchange.request.headers['user-agent'])
    exchange.respond(403)
}
