// Rejects requests with a User-Agent that names an unwanted tool. This stops only tools that keep their default settings.

settings {
    @Setting(about = 'the unwanted user agents, a regular expression that is searched in the field')
    Pattern agents = '(?i)\\b(sqlmap|nikto|masscan|zgrab|python-requests|scrapy)\\b'
    @Setting(about = 'refuses requests without a user agent, which browsers always send')
    boolean required = true
    @Setting(about = 'the status of the response', min = 400, max = 499)
    int status = 403
}

order(-200)

applies { exchange ->
    String agent = exchange.request.headers['user-agent']
    agent == null ? required : agents.matcher(agent).find()
}

filter { exchange ->
    exchange.log.info('refused: {}', exchange.request.headers['user-agent'])
    exchange.respond(status)
}
