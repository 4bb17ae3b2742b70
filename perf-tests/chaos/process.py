"""Common parts of the chaos processes: shutdown and final report."""

import asyncio
import json
import signal


def stop_signal():
    """An event that SIGTERM sets; must be called on the loop."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    return stop


def write_report(path, report):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file)


def read_report(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


async def wait(event, seconds):
    """Waits for the event with a timeout; returns whether it occurred."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
        return True
    except asyncio.TimeoutError:
        return False
