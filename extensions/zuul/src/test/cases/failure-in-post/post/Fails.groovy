import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Fails extends ZuulFilter {
    @Override
    String filterType() {
        return 'post'
    }

    @Override
    int filterOrder() {
        return 10
    }

    @Override
    boolean shouldFilter() {
        return RequestContext.currentContext.responseStatusCode == 404
    }

    @Override
    Object run() {
        throw new IllegalArgumentException('no such thing')
    }
}
