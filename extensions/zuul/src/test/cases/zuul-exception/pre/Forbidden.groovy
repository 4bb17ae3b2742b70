import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext
import com.netflix.zuul.exception.ZuulException

class Forbidden extends ZuulFilter {
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
        throw new ZuulException('no', 403, 'blocked by policy')
    }
}
