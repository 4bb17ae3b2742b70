import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext
import java.util.zip.GZIPInputStream

/** Writes the response to the client, as the last filter of each application with Zuul does. */
class WriteResponse extends ZuulFilter {
    String filterType() { 'post' }

    int filterOrder() { 1000 }

    boolean shouldFilter() {
        RequestContext context = RequestContext.currentContext
        !context.zuulResponseHeaders.isEmpty() || context.responseDataStream != null || context.responseBody != null
    }

    Object run() {
        RequestContext context = RequestContext.currentContext
        def response = context.response
        if (context.containsKey('responseStatusCode')) {
            response.status = context.responseStatusCode
        }
        boolean replaced = context.responseBody != null
        boolean unzips = !replaced && context.responseGZipped && !context.isGzipRequested()
        context.zuulResponseHeaders.each {
            boolean ofTheCoding = it.first().equalsIgnoreCase('content-encoding')
            if (!(ofTheCoding && (replaced || unzips))) {
                response.addHeader(it.first(), it.second())
            }
        }
        if (replaced) {
            if (response.characterEncoding == null || response.characterEncoding == 'ISO-8859-1') {
                response.characterEncoding = 'UTF-8'
            }
            response.outputStream << context.responseBody.getBytes('UTF-8')
        } else if (context.responseDataStream != null) {
            def body = unzips ? new GZIPInputStream(context.responseDataStream) : context.responseDataStream
            if (context.request.method != 'HEAD') {
                response.outputStream << body
            }
        }
        response.outputStream.flush()
        null
    }
}
