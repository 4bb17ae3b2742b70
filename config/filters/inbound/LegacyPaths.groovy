// Sends old links to where things are now, for good: 308 keeps method and body.

order(-300)

Map<String, String> pages = ['/index.php': '/', '/kontakt.html': '/contact', '/agb.html': '/terms']
def product = ~'/shop/item-([0-9]{1,9})\\.html'

filter { exchange ->
    String path = exchange.request.path
    def item = product.matcher(path)
    String target = item.matches() ? '/products/' + item.group(1) : pages[path]
    if (target == null) {
        return exchange.proceed()
    }
    String query = exchange.request.query
    exchange.redirect(308, query == null ? target : target + '?' + query)
}
