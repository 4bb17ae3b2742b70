import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class First extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
    }

    @Override
    int filterOrder() {
        return 5
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.setSendZuulResponse(false)
        ctx.setResponseStatusCode(403)
        ctx.setResponseBody('forbidden')
    }
}
