import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Attribute extends ZuulFilter {
    @Override
    String filterType() {
        return 'pre'
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
        def request = RequestContext.currentContext.request
        request.setAttribute('trace', 'abc')
        request.setAttribute('gone', 'x')
        request.removeAttribute('gone')
    }
}
