"""
Threadproof as a tool of BenchExec (https://github.com/sosy-lab/benchexec).

Put this folder on PYTHONPATH and name the tool ".threadproof" in benchmark.xml; DIR holds the command `threadproof`:

    PYTHONPATH=contrib/benchexec benchexec --tool-directory DIR benchmark.xml
"""

import os
import re

import benchexec.result as result
import benchexec.tools.template

DATA_MODELS = ("ILP32", "LP64")

# The reasons in `verdict: violated (…)`, and their results in SV-COMP.
VIOLATIONS = {
    "assertion failed": result.RESULT_FALSE_REACH,
    "error call reached": result.RESULT_FALSE_REACH,
    "data race": result.RESULT_FALSE_DATARACE,
    "deadlock": result.RESULT_FALSE_DEADLOCK,
    "invalid pointer": result.RESULT_FALSE_DEREF,
    "out of bounds": result.RESULT_FALSE_DEREF,
    "use after free": result.RESULT_FALSE_DEREF,
    "double free": result.RESULT_FALSE_FREE,
    "invalid free": result.RESULT_FALSE_FREE,
    "memory leak": result.RESULT_FALSE_MEMTRACK,
    "memory not freed": result.RESULT_FALSE_MEMCLEANUP,
    "signed overflow": result.RESULT_FALSE_OVERFLOW,
}

# Why `check` ends early, in words that BenchExec's tables know.
REASONS = {"timeout": "TIMEOUT", "out of memory": "OUT OF MEMORY"}

VERDICT = re.compile(r"verdict: ([a-z ]+?)(?: \((.*)\))?$")


def _value(options, name):
    """The value of an option, given as the next word or after `=`; None if the option is absent."""
    for i, word in enumerate(options):
        if word == name:
            return options[i + 1] if i + 1 < len(options) else ""
        if word.startswith(name + "="):
            return word[len(name) + 1 :]
    return None


class Tool(benchexec.tools.template.BaseTool2):
    """`threadproof check` of a task: its property file, its data model, and the limits of the run."""

    def name(self):
        return "Threadproof"

    def executable(self, tool_locator):
        return tool_locator.find_executable("threadproof")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="threadproof")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--witness", "/dev/null", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        if _value(options, "--data-model") is None:
            command += self._data_model(task)
        # BenchExec kills a run at its limits; one that stops by itself a little earlier can still report.
        limits = [rlimits.walltime] if rlimits.walltime else []
        if rlimits.cputime:
            # Without `--engine`, two engines work at once.
            engine = _value(options, "--engine") or os.environ.get("THREADPROOF_ENGINE") or "auto"
            limits.append(rlimits.cputime // (2 if engine == "auto" else 1))
        if limits and _value(options, "--timeout") is None:
            command += ["--timeout", str(max(1, min(limits) - 5))]
        if rlimits.memory and _value(options, "--memory") is None:
            command += ["--memory", str(rlimits.memory // 10 * 9)]
        return [*command, *task.input_files]

    @staticmethod
    def _data_model(task):
        if not isinstance(task.options, dict):
            return []
        model = task.options.get("data_model")
        if model is None:
            return []
        if model not in DATA_MODELS:
            raise benchexec.tools.template.UnsupportedFeatureException(
                f"the data model {model} is not one of {', '.join(DATA_MODELS)}"
            )
        return ["--data-model", model]

    def determine_result(self, run):
        verdict, detail = self._verdict(run.output)
        if verdict == "safe":
            return result.RESULT_TRUE_PROP
        if verdict == "violated":
            return VIOLATIONS.get(detail, result.RESULT_FALSE_PROP)
        if verdict == "safe within bounds":
            return f"{result.RESULT_UNKNOWN} (within bounds)"
        if verdict == "possible":
            return f"{result.RESULT_UNKNOWN} (possible: {detail})"
        if verdict == "unknown":
            return REASONS.get(detail, f"{result.RESULT_UNKNOWN} ({detail})")
        if run.was_timeout:
            return "TIMEOUT"
        meanings = {1: "wrong arguments", 2: "source", 6: "internal error"}
        meaning = meanings.get(run.exit_code.value)
        return f"{result.RESULT_ERROR} ({meaning})" if meaning else result.RESULT_ERROR

    @staticmethod
    def _verdict(output):
        """The verdict and its detail in parentheses, from the last line that has one."""
        for line in reversed(output):
            match = VERDICT.match(line.strip())
            if match:
                return match.group(1), match.group(2)
        return None, None
