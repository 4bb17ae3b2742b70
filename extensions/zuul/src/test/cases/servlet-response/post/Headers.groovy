import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Headers extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
    }

    @Override
    int filterOrder() {
        return 10
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        def response = RequestContext.currentContext.response
        response.addHeader('X-Added', 'one')
        response.addHeader('X-Added', 'two')
        response.setHeader('X-Set', 'first')
        response.setHeader('X-Set', 'second')
        response.addIntHeader('X-Count', 3)
    }
}
