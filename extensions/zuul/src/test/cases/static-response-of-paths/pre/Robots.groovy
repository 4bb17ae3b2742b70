import com.netflix.zuul.filters.StaticResponseFilter

/** Responds to several paths. */
class Robots extends StaticResponseFilter {
    @Override
    String filterType() {
        return 'pre'
    }

    @Override
    Object uri() {
        return ['/robots.txt', '/zipped']
    }

    @Override
    String responseBody() {
        return 'User-agent: *'
    }
}
