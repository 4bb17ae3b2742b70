"""Figures compared with limits, one line each, and the resulting exit code."""


class Verdict:
    def __init__(self, title):
        self.title = title
        self.failed = 0
        self.left_out = 0
        # The checks, as printed.
        self.lines = []

    def note(self, text):
        print(f"      {text}", flush=True)

    def leave_out(self, what):
        """The figure has a limit but was not measured."""
        self.note(f"{what}: not measured")
        self.left_out += 1

    def check(self, holds, text):
        self.lines.append(f"{'pass' if holds else 'FAIL'}  {text}")
        print(self.lines[-1], flush=True)
        if not holds:
            self.failed += 1
        return holds

    def exit_code(self):
        result = "passed" if self.failed == 0 else f"{self.failed} failed"
        print(f"{self.title}: {result}" + (f", {self.left_out} not measured" if self.left_out else ""))
        return 0 if self.failed == 0 else 1
