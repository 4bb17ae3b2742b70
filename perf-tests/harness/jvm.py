"""The JVM: its flags, and the output of jcmd for a running one."""

import os
import re
import shlex
import subprocess

from . import tools

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class Jvm:
    def __init__(self, java=None, options=""):
        java = java or _java_of(os.environ.get("JAVA_HOME")) or tools.find("java")
        if not java or not os.access(java, os.X_OK):
            raise tools.Refused(f"no java at {java or 'PATH'}: install a JDK, 17 or newer, or name one with --java")
        self.java = os.path.realpath(java)
        self.options = shlex.split(options or "")
        shown = subprocess.run(
            [self.java, "-XshowSettings:properties", "-version"], capture_output=True, text=True, check=True
        ).stderr
        self.release = int(re.search(r"java\.specification\.version = (\d+)", shown).group(1))
        self.version = re.search(r"java\.runtime\.version = (\S+)", shown).group(1)

    def flags(self, processors=1):
        """Production flags without leak detection; user flags come last and take precedence."""
        flags = [
            "-Xms512m",
            "-Xmx512m",
            "-XX:+AlwaysPreTouch",
            "-XX:+PerfDisableSharedMem",
            "-XX:MaxDirectMemorySize=512m",
            "-Dio.netty.allocator.type=pooled",
            "-Dio.netty.leakDetection.level=disabled",
        ]
        # Two collectors are an error, so the last one does not win.
        if not any(re.fullmatch(r"-XX:\+Use\w+GC", option) for option in self.options):
            flags.append("-XX:+UseSerialGC" if processors == 1 else "-XX:+UseParallelGC")
        if self.release >= 25:
            flags += [
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dio.netty.noUnsafe=false",
            ]
        return flags + self.options

    def _jcmd(self, pid, *command):
        jcmd = os.path.join(os.path.dirname(self.java), "jcmd")
        if not os.access(jcmd, os.X_OK):
            jcmd = tools.find("jcmd")
        if jcmd is None:
            raise tools.Refused("jcmd is missing: a JDK is needed, a runtime image is not enough")
        shown = subprocess.run([jcmd, str(pid), *command], capture_output=True, text=True, check=False, timeout=60)
        if shown.returncode != 0:
            raise tools.Refused(f"jcmd {' '.join(command)} failed: {(shown.stderr or shown.stdout).strip()}")
        return shown.stdout

    def processors(self, pid):
        """The number of CPUs that the running JVM detects."""
        return parse_processors(self._jcmd(pid, "VM.info"))

    def heap_after_collection(self, pid):
        self._jcmd(pid, "GC.run")
        return parse_heap(self._jcmd(pid, "GC.heap_info"))

    def classes(self, pid):
        """(loaded classes, bytes of metaspace in use)."""
        return (
            parse_classes(self._jcmd(pid, "VM.classloader_stats")),
            parse_metaspace(self._jcmd(pid, "VM.metaspace", "basic")),
        )

    def instances(self, pid, endings):
        """The number of live objects with a class name that ends with one of these suffixes."""
        return parse_instances(self._jcmd(pid, "GC.class_histogram"), endings)

    def off_heap(self, pid):
        """Direct buffers, pooled ones included; needs -XX:NativeMemoryTracking=summary."""
        return parse_off_heap(self._jcmd(pid, "VM.native_memory", "summary"))


def _java_of(home):
    return os.path.join(home, "bin", "java") if home else None


def parse_processors(shown):
    found = re.search(r"^CPU:\s*total \d+ \(initial active (\d+)\)", shown, re.MULTILINE)
    found = found or re.search(r"^CPU:\s*total (\d+)", shown, re.MULTILINE)
    return int(found.group(1)) if found else None


def parse_heap(shown):
    """Bytes in use, over all generations, for any collector."""
    in_use = r"^\s*[\w -]+?\s+(?:total .*?)?used (\d+)([KMG])(?=[, ])"
    used = re.findall(in_use, _without_metaspace(shown), re.MULTILINE)
    if not used:
        raise tools.Refused(f"GC.heap_info was not understood:\n{shown}")
    return sum(int(number) * _UNITS[unit] for number, unit in used)


def _without_metaspace(shown):
    return "\n".join(line for line in shown.splitlines() if not re.match(r"\s*(Metaspace|class space)", line))


def parse_off_heap(shown):
    found = re.search(r"^-\s+Other \(reserved=\d+KB, committed=(\d+)KB", shown, re.MULTILINE)
    return int(found.group(1)) * 1024 if found else None


def parse_classes(shown):
    # The sums: loaders, then classes, then bytes.
    total = re.search(r"^Total = \d+\s+(\d+)\s", shown, re.MULTILINE)
    if total is None:
        raise tools.Refused(f"VM.classloader_stats was not understood:\n{shown[-500:]}")
    return int(total.group(1))


def parse_instances(shown, endings):
    lines = re.findall(r"^\s*\d+:\s+(\d+)\s+\d+\s+(\S+)", shown, re.MULTILINE)
    if not lines:
        raise tools.Refused(f"GC.class_histogram was not understood:\n{shown[:500]}")
    return sum(int(count) for count, name in lines if name.endswith(tuple(endings)))


def parse_metaspace(shown):
    """Bytes in use, including the class space."""
    used = re.search(r"^\s*Both:\s+([\d.]+) ([KMG])B used\.", shown, re.MULTILINE)
    if used is None:
        raise tools.Refused(f"VM.metaspace was not understood:\n{shown}")
    return round(float(used.group(1)) * _UNITS[used.group(2)])
