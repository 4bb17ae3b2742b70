import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Chunked extends ZuulFilter {
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
        RequestContext ctx = RequestContext.currentContext
        if (ctx.request.getHeader('Transfer-Encoding') == 'chunked') {
            ctx.setChunkedRequestBody()
        }
        ctx.addZuulRequestHeader('X-Chunked', "${ctx.isChunkedRequestBody()} ${ctx.request.contentLength}")
    }
}
