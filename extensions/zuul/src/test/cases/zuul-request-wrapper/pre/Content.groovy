import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext
import com.netflix.zuul.http.HttpServletRequestWrapper

class Content extends ZuulFilter {
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
        def wrapped = new HttpServletRequestWrapper(ctx.getRequest())
        ctx.setRequest(wrapped)
        int read = wrapped.getInputStream().getBytes().length
        ctx.addZuulRequestHeader('X-Content', "$read of ${wrapped.getContentData().length}, ${wrapped.getMethod()}")
    }
}
