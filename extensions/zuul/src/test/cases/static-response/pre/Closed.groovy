import com.netflix.zuul.filters.StaticResponseFilter

/** Responds to one path. */
class Closed extends StaticResponseFilter {
    @Override
    String filterType() {
        return 'pre'
    }

    @Override
    Object uri() {
        return '/missing'
    }

    @Override
    String responseBody() {
        return 'closed for maintenance'
    }
}
