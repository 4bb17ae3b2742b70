import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext

class Prefix extends ZuulFilter {
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
        return !RequestContext.currentContext.responseGZipped
    }

    @Override
    Object run() {
        RequestContext ctx = RequestContext.getCurrentContext()
        InputStream stream = ctx.getResponseDataStream()
        if (stream != null) {
            byte[] body = ('filtered: ' + stream.getText('UTF-8')).getBytes('UTF-8')
            ctx.setResponseDataStream(new ByteArrayInputStream(body))
            ctx.setOriginContentLength(body.length as Long)
        }
    }
}
