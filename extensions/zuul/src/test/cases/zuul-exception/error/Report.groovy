import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Report extends ZuulFilter {
    @Override
    String filterType() {
        return 'error'
    }

    @Override
    int filterOrder() {
        return 1
    }

    @Override
    boolean shouldFilter() {
        return true
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        def failure = ctx.throwable
        ctx.responseStatusCode = failure.nStatusCode
        ctx.responseBody = failure.errorCause
    }
}
