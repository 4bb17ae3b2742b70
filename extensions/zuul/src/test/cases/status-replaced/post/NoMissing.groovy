import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class NoMissing extends ZuulFilter {
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
        return RequestContext.currentContext.responseStatusCode == 404
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.setResponseStatusCode(200)
        ctx.setResponseBody('nothing here')
    }
}
