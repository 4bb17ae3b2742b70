import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.Debug
import com.netflix.zuul.context.RequestContext

class On extends ZuulFilter {
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
        Debug.setDebugRequest(true)
        Debug.setDebugRouting(true)
        Debug.addRequestDebug('REQUEST:: ' + RequestContext.currentContext.request.method)
    }
}
