"""Numbers against their limits, one line each, and the exit code that follows."""


class Verdict:
    def __init__(self, title):
        self.title = title
        self.failed = 0
        # What was checked, as printed.
        self.lines = []

    def note(self, text):
        print(f"      {text}", flush=True)

    def check(self, holds, text):
        self.lines.append(f"{'pass' if holds else 'FAIL'}  {text}")
        print(self.lines[-1], flush=True)
        if not holds:
            self.failed += 1
        return holds

    def exit_code(self):
        print(f"{self.title}: {'passed' if self.failed == 0 else f'{self.failed} failed'}")
        return 0 if self.failed == 0 else 1
