import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Late extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
    }

    @Override
    int filterOrder() {
        return 1001
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.addZuulResponseHeader('X-Late', '1')
        ctx.setResponseStatusCode(500)
    }
}
