"""JMeter as installed by its Maven plugin, run on the load CPU."""

import json
import os
import re
import subprocess
from xml.etree import ElementTree

from harness import tools

from . import samples

HERE = os.path.dirname(os.path.abspath(__file__))
_TARGET = os.path.join(os.path.dirname(HERE), "target")

# Recorded fields of each sample: only the ones that the report needs.
_WRITTEN = {"url": "false", "data_type": "false", "idle_time": "false", "assertion_results_failure_message": "true"}
_HOW_TO = "mvn -pl perf-tests -am verify -Pjmeter -Dplan=NAME lays it out and runs a plan"


def home(given=None):
    """The directory of JMeter: as given, otherwise the last one that Maven has installed."""
    if given is None:
        try:
            with open(os.path.join(_TARGET, "config.json"), encoding="utf-8") as file:
                given = json.load(file)["configurations"][0]["jmeterDirectoryPath"]
        except (OSError, ValueError, LookupError):
            raise tools.Refused(f"no JMeter in perf-tests/target: {_HOW_TO}") from None
    if _jar(given) is None:
        raise tools.Refused(f"{given}: no JMeter there (expected: bin/ApacheJMeter*.jar). {_HOW_TO}")
    return given


def _jar(directory):
    try:
        names = os.listdir(os.path.join(directory, "bin"))
    except OSError:
        return None
    jars = sorted(name for name in names if re.fullmatch(r"ApacheJMeter(-[\d.]+)?\.jar", name))
    return os.path.join(directory, "bin", jars[-1]) if jars else None


def version(directory):
    found = re.search(r"-([\d.]+)\.jar$", _jar(directory))
    return found.group(1) if found else "of unknown version"


def groups(path):
    """Names of the thread groups of a plan, without the warm-up."""
    return [group.get("testname") for group in ElementTree.parse(path).iter("ThreadGroup")]


def with_groups(path, wanted):
    """The plan's text with all other groups disabled."""
    tree = ElementTree.parse(path)
    for group in tree.iter("ThreadGroup"):
        group.set("enabled", "true" if group.get("testname") in wanted else "false")
    return ElementTree.tostring(tree.getroot(), encoding="unicode")


def without_groups(path):
    """The plan's text with all groups disabled, including the warm-up."""
    tree = ElementTree.fromstring(with_groups(path, []))
    for group in tree.iter("SetupThreadGroup"):
        group.set("enabled", "false")
    return ElementTree.tostring(tree, encoding="unicode")


def load(space, java, directory, name, text):
    """Loads a plan with JMeter; nothing runs if its groups are disabled.

    Returns None, or JMeter's output if an element, a class or a property of the plan is unknown to it.
    """
    file = space.write(f"load-{name}.jmx", text)
    command = [java, "-Xmx256m", "-Djava.awt.headless=true", "-jar", _jar(directory), "-n", "-t", file]
    process = space.start(f"load-{name}", [*command, "-j", space.path(f"load-{name}.log")])
    code = process.wait(300)
    if code == 0:
        return None
    outcome = "JMeter did not end within 300 s" if code is None else f"JMeter ended with code {code}"
    process.end()
    return f"{outcome}:\n{process.log_tail()}"


class Run:
    """One run of a plan in a separate JMeter process, which ends with it."""

    def __init__(self, space, java, directory, plan, name, properties):
        self.samples = space.path(f"{name}.csv")
        self.html = space.path(f"html-{name}")
        settings = {f"jmeter.save.saveservice.{key}": value for key, value in _WRITTEN.items()}
        settings["jmeter.reportgenerator.overall_granularity"] = "1000"
        settings["jmeter.reportgenerator.report_title"] = f"{os.path.basename(plan)}, {name}"
        # Otherwise the results would include the warm-up.
        settings["jmeter.reportgenerator.sample_filter"] = f"^(?!{samples.WARM_UP}$).*$"
        settings.update(properties)
        self.command = [
            java,
            "-Xms1g",
            "-Xmx1g",
            # JMeter has one CPU, shared with others.
            "-XX:+UseSerialGC",
            "-XX:+PerfDisableSharedMem",
            "-Xss512k",
            "-Djava.awt.headless=true",
            "-jar",
            _jar(directory),
            "-n",
            *("-t", plan),
            *("-l", self.samples),
            *("-j", space.path(f"jmeter-{name}.log")),
            *(f"-J{key}={value}" for key, value in settings.items()),
        ]
        self.space = space
        self.name = name
        self.process = None

    def start(self):
        self.process = self.space.start(f"jmeter-{self.name}", self.command)

    def wait(self, seconds):
        code = self.process.wait(seconds)
        if code is None:
            raise tools.Refused(f"JMeter did not end within {seconds:.0f} s:\n{self.process.log_tail()}")
        if code != 0 or not os.path.exists(self.samples):
            raise tools.Refused(f"JMeter ended with code {code}:\n{self.process.log_tail()}")

    def report(self):
        """JMeter's own HTML report, created after all measurements."""
        start, arguments = self.command[: self.command.index("-n")], self.command
        properties = [argument for argument in arguments if argument.startswith("-J")]
        log = ["-j", self.space.path(f"report-{self.name}.log")]
        command = [*start, "-g", self.samples, "-o", self.html, *log, *properties]
        done = subprocess.run(
            command,
            # JMeter's directory for intermediate report data.
            cwd=self.space.directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0 or not os.path.exists(os.path.join(self.html, "index.html")):
            raise tools.Refused(f"JMeter made no report of {self.name}: {(done.stderr or done.stdout).strip()[-2000:]}")
        return self.html
