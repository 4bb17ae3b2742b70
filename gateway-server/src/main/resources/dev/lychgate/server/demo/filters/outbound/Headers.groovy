// The header policy of every response, including responses that the gateway generates.
// Change a line and save the file: the next response has the change. If the file has an error, the log names its line.

filter {
    def headers = it.response.headers
    headers['x-served-by'] = 'lychgate'
    headers['x-content-type-options'] = 'nosniff'
    headers['x-frame-options'] = 'DENY'
    headers.remove('server')
}
