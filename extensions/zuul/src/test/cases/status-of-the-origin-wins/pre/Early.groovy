import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Early extends ZuulFilter {
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
        ctx.setResponseStatusCode(418)
        ctx.addZuulResponseHeader('X-Early', '1')
    }
}
