import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Gone extends ZuulFilter {
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
        return RequestContext.currentContext.request.requestURI == '/missing'
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.currentContext
        ctx.setSendZuulResponse(false)
        ctx.response.setStatus(410)
        ctx.response.setContentType('text/plain;charset=UTF-8')
        ctx.response.getWriter().write('gone for good')
    }
}
