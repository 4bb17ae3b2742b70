// Redirects old links permanently to the current pages. Status 308 keeps method and body.

settings {
    @Setting(about = 'the target of each old path; three examples if empty')
    Map<String, String> pages = [:]
    @Setting(about = 'old paths of items; the first group of the regular expression is appended to item-target')
    Pattern item = '/shop/item-([0-9]{1,9})\\.html'
    @Setting(about = 'the beginning of the paths of items')
    String itemTarget = '/products/'
    @Setting(about = 'the status of the redirect', min = 301, max = 308)
    int status = 308
}

order(-300)

Map<String, String> targets = pages ?: ['/index.php': '/', '/kontakt.html': '/contact', '/agb.html': '/terms']
if (item.groupCount() < 1) {
    throw new IllegalArgumentException("item: $item (expected: a regular expression with a group)")
}

filter { exchange ->
    String path = exchange.request.path
    def old = item.matcher(path)
    String target = old.matches() && old.group(1) != null ? itemTarget + old.group(1) : targets[path]
    if (target == null) {
        return exchange.proceed()
    }
    String query = exchange.request.query
    exchange.redirect(status, query == null ? target : target + '?' + query)
}
