"""
Tests of the module for BenchExec: python3 -m unittest discover contrib/benchexec

They need the package benchexec; ./test installs it into the build folder.
"""

import os
import pathlib
import shutil
import sys
import unittest
import unittest.mock

from benchexec import result, util
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import threadproof  # noqa: E402

Limits = BaseTool2.ResourceLimits


def task(property_file="unreach-call.prp", options=None):
    return BaseTool2.Task.with_files(["p.c"], property_file=property_file, options=options)


def run(output, value=0, reason=None):
    lines = [line + "\n" for line in output.splitlines()]
    exit_code = util.ProcessExitCode.create(value=value)
    return BaseTool2.Run(["threadproof"], exit_code, BaseTool2.RunOutput(lines), reason)


class CommandLine(unittest.TestCase):
    def setUp(self):
        developer = unittest.mock.patch.dict(os.environ)
        developer.start()
        self.addCleanup(developer.stop)
        os.environ.pop("THREADPROOF_ENGINE", None)

    def check(self, expect, options=(), of=None, limits=Limits()):
        command = threadproof.Tool().cmdline("tp", list(options), of or task(), limits)
        self.assertEqual(command, ["tp", "check", "--witness", "/dev/null", *expect])

    def test_property_and_program(self):
        self.check(["--property", "unreach-call.prp", "p.c"])
        self.check(["p.c"], of=task(None))

    def test_data_model(self):
        narrow = task(None, {"language": "C", "data_model": "ILP32"})
        self.check(["--data-model", "ILP32", "p.c"], of=narrow)
        given = ["--data-model", "LP64"]
        self.check([*given, "p.c"], options=given, of=narrow)
        self.check(["--data-model=LP64", "p.c"], options=["--data-model=LP64"], of=narrow)
        with self.assertRaises(UnsupportedFeatureException):
            self.check([], of=task(None, {"data_model": "LLP64"}))

    def test_limits(self):
        limits = Limits(cputime=900, cputime_hard=960, memory=1000)
        self.check(["--timeout", "445", "--memory", "900", "p.c"], of=task(None), limits=limits)
        one = ["--engine", "order"]
        self.check([*one, "--timeout", "895", "--memory", "900", "p.c"], options=one, of=task(None), limits=limits)
        self.check(["--timeout", "55", "p.c"], of=task(None), limits=Limits(walltime=60, cputime=900))
        for options in (["--timeout", "7"], ["--timeout=7"]):
            self.check([*options, "p.c"], options=options, of=task(None), limits=Limits(walltime=60))
        given = ["--memory=9M"]
        self.check([*given, "p.c"], options=given, of=task(None), limits=Limits(memory=1000))

    def test_cores(self):
        for options, seconds in [
            (["--engine", "auto"], "445"),
            (["--engine=auto"], "445"),
            (["--engine=explore"], "895"),
            (["--unwind", "3"], "445"),
        ]:
            limits = Limits(cputime=900)
            self.check([*options, "--timeout", seconds, "p.c"], options, task(None), limits)
        with unittest.mock.patch.dict(os.environ, {"THREADPROOF_ENGINE": "order"}):
            self.check(["--timeout", "895", "p.c"], of=task(None), limits=limits)


class Results(unittest.TestCase):
    def check(self, output, expect, **how):
        self.assertEqual(threadproof.Tool().determine_result(run(output, **how)), expect)

    def test_verdicts(self):
        self.check("a line\nverdict: safe\n", result.RESULT_TRUE_PROP)
        violated = {
            "error call reached": "false(unreach-call)",
            "assertion failed": "false(unreach-call)",
            "data race": "false(no-data-race)",
            "deadlock": "false(no-deadlock)",
            "double free": "false(valid-free)",
            "out of bounds": "false(valid-deref)",
            "memory leak": "false(valid-memtrack)",
            "memory not freed": "false(valid-memcleanup)",
            "signed overflow": "false(no-overflow)",
            "lock misuse": "false",
        }
        for words, expect in violated.items():
            self.check(f"verdict: violated ({words})", expect, value=10)

    def test_what_is_not_decided(self):
        self.check("verdict: safe within bounds (unwind 4)", "unknown (within bounds)", value=5)
        self.check("verdict: possible (data race)", "unknown (possible: data race)", value=11)
        self.check("verdict: unknown (timeout)", "TIMEOUT", value=5)
        self.check("verdict: unknown (out of memory)", "OUT OF MEMORY", value=5)
        self.check("verdict: unknown (no model for `f`)", "unknown (no model for `f`)", value=5)

    def test_no_verdict(self):
        self.check("error: internal error: x", "ERROR (internal error)", value=6)
        self.check("error: p.c does not compile", "ERROR (source)", value=2)
        self.check("error: unexpected argument", "ERROR (wrong arguments)", value=1)
        self.check("", "TIMEOUT", value=1, reason="cputime")

    def test_none_of_the_unknown_counts_as_an_answer(self):
        for output in ["verdict: safe within bounds (unwind 4)", "verdict: unknown (timeout)", ""]:
            status = threadproof.Tool().determine_result(run(output, value=5))
            self.assertEqual(
                result.get_result_classification(status), result.RESULT_CLASS_OTHER, status
            )


class WithTheCommand(unittest.TestCase):
    """What the module assumes about the command itself; THREADPROOF names a built one."""

    def setUp(self):
        self.command = os.environ.get("THREADPROOF") or shutil.which("threadproof")
        if not self.command:
            self.skipTest("THREADPROOF does not name the command")

    def test_version(self):
        self.assertRegex(threadproof.Tool().version(self.command), r"^\d+\.\d+")


if __name__ == "__main__":
    unittest.main()
