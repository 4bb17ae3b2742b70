import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Hide extends ZuulFilter {
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
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.zuulResponseHeaders.removeAll { it.first().toLowerCase() == 'x-origin' }
    }
}
