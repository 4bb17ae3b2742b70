import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Third extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
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
        ctx.addZuulResponseHeader('X-Status', String.valueOf(ctx.getResponseStatusCode()))
        ctx.setResponseBody(ctx.getResponseBody() + ', finally')
    }
}
