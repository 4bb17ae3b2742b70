"""Runs the cases in order: warm-up, interleaved rounds, medians."""

from . import firstwave, idle, openloop, report, rounds, table
from .bench import ORDER
from .cases import FIRST_WAVE, IDLE, OPEN_LOOP


def _closed_loop(bench, case, _measured):
    proxies = bench.proxies(case)
    for proxy in proxies:
        warmup = bench.warmup(proxy)
        if warmup:
            bench.measure(case, 0, proxy, warmup)
    for number in _numbers(bench):
        in_turn = rounds.rotated(proxies, number - 1)
        this_round = [bench.measure(case, number, proxy, bench.chosen.seconds) for proxy in in_turn]
        rounds.set_ratios(this_round)
        yield from this_round


def _open_loop(bench, case, measured):
    proxies = bench.proxies(case)
    for proxy in proxies:
        bench.measure(case, 0, proxy, max(1, bench.warmup(proxy)))
    rates = openloop.rates(measured, bench, case, proxies)
    for number in _numbers(bench):
        yield from openloop.measure_round(bench, case, number, proxies, rates)


def _first_wave(bench, case, _measured):
    proxies = bench.proxies(case)
    firstwave.warm_up(bench, case, proxies)
    for number in _numbers(bench):
        yield from firstwave.measure_round(bench, case, number, proxies)


def _idle(bench, case, _measured):
    bench.end()
    for number in _numbers(bench):
        for name in rounds.rotated(bench.names(case), number - 1):
            with bench.leaving_out(name):
                proxy = bench.start(name, case)
                yield idle.measure(bench, case, number, proxy)
                proxy.process.end()


_BY_KIND = {OPEN_LOOP: _open_loop, FIRST_WAVE: _first_wave, IDLE: _idle}


def _numbers(bench):
    return range(1, bench.chosen.rounds + 1)


def run(bench, case, measured):
    """Runs all rounds of a case and prints each result; ``measured``: the cases before it."""
    columns = report.columns(case, shares=True)
    print(f"\n{case.name}: {case.title}\n{'':4}{table.header(columns)}", flush=True)
    seen = []
    bench.left_out = {}
    for one in _BY_KIND.get(case.kind, _closed_loop)(bench, case, measured):
        print(f"{one.number:>2}  {table.line(columns, one.as_dict())}", flush=True)
        for doubt in report.doubts(one, case):
            print(f"      {one.proxy}: {doubt}", flush=True)
        seen.append(one)
    columns = report.columns(case)
    print(f"medians\n{'':4}{table.header(columns)}")
    rows = sorted(report.medians(seen), key=lambda row: ORDER.index(row["proxy"]))
    for row in rows:
        print(f"{'':4}{table.line(columns, row)}", flush=True)
    return {
        "name": case.name,
        "title": case.title,
        "unit": case.unit,
        "medians": rows,
        # Proxies that could not be measured in some rounds, with reasons.
        "left_out": bench.left_out,
        "rounds": [one.as_dict() for one in seen],
    }
