import com.netflix.zuul.ZuulFilter
import com.netflix.zuul.context.RequestContext
import javax.servlet.ReadListener
import javax.servlet.ServletInputStream
import javax.servlet.http.HttpServletRequest
import javax.servlet.http.HttpServletRequestWrapper

/** Sends another method and another body. */
class Replace extends ZuulFilter {
    static class Bytes extends ServletInputStream {
        private final ByteArrayInputStream content

        Bytes(byte[] content) {
            this.content = new ByteArrayInputStream(content)
        }

        @Override
        int read() {
            return content.read()
        }

        @Override
        boolean isFinished() {
            return content.available() == 0
        }

        @Override
        boolean isReady() {
            return true
        }

        @Override
        void setReadListener(ReadListener listener) {
        }
    }

    static class Put extends HttpServletRequestWrapper {
        private final byte[] content = 'replaced by the filter'.getBytes('UTF-8')

        Put(HttpServletRequest request) {
            super(request)
        }

        @Override
        String getMethod() {
            return 'PUT'
        }

        @Override
        ServletInputStream getInputStream() {
            return new Bytes(content)
        }

        @Override
        int getContentLength() {
            return content.length
        }

        @Override
        long getContentLengthLong() {
            return content.length
        }
    }

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
        RequestContext ctx = RequestContext.getCurrentContext()
        ctx.setRequest(new Put(ctx.getRequest()))
        return null
    }
}
