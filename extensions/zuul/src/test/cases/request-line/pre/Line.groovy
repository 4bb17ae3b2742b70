import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Line extends ZuulFilter {
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
        return true
    }

    @Override
    Object run() {
        def request = RequestContext.currentContext.request
        RequestContext.currentContext.addZuulRequestHeader('X-Line', [request.requestURL, request.queryString, request.scheme,
                request.protocol, request.serverName, request.remoteAddr, request.contentType, request.method].join(' '))
    }
}
