import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Moved extends ZuulFilter {
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
        return RequestContext.currentContext.request.requestURI.startsWith('/missing')
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.setSendZuulResponse(false)
        ctx.response.sendRedirect('https://new.example.com' + ctx.request.requestURI)
    }
}
