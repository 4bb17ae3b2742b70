import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class ReadOnly extends ZuulFilter {
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
        return RequestContext.currentContext.request.method == 'POST'
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.sendZuulResponse = false
        ctx.responseStatusCode = 405
        ctx.addZuulResponseHeader('Allow', 'GET, HEAD')
        ctx.responseBody = 'read only'
    }
}
