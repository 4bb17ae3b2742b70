import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Lines extends ZuulFilter {
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
        int letters = 0
        ctx.getRequest().getReader().eachLine { letters += it.length() }
        ctx.addZuulRequestHeader('X-Letters', letters as String)
    }
}
