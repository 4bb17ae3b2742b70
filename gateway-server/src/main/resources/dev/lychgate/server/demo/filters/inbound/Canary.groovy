// Sends requests with the header `x-canary: yes` to the upstream `canary`, which runs the next version of the service.
// demo.yml lists this filter on one route, so it runs on that route only.

applies { it.request.headers['x-canary'] == 'yes' }

filter { it.upstream = 'canary' }
