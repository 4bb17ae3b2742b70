"""Time from process start to the first proxied 200."""

import statistics


def median_ms(make_proxy, workspace, setting, ready_path, times=5):
    taken = []
    for _ in range(times):
        proxy = make_proxy()
        # At this interval, polling adds at most a few milliseconds.
        taken.append(proxy.start(workspace, setting, ready_path, poll=0.002) * 1000)
        proxy.process.end()
    return statistics.median(taken)
