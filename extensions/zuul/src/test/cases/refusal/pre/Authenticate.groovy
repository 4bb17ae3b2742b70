import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Authenticate extends ZuulFilter {
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
        return RequestContext.currentContext.request.getHeader('Authorization') == null
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.setSendZuulResponse(false)
        ctx.setResponseStatusCode(401)
        ctx.setResponseBody('{"error":"unauthorized"}')
        ctx.getResponse().setContentType('application/json')
    }
}
