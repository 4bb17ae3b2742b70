import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Fails extends ZuulFilter {
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
        throw new IllegalStateException('out of order')
    }
}
