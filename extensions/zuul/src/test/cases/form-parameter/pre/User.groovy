import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class User extends ZuulFilter {
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
        return RequestContext.currentContext.request.getParameter('user') != null
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.addZuulRequestHeader('X-User', ctx.getRequest().getParameter('user'))
    }
}
