#!/usr/bin/env python3
"""Run the server scenarios of the official conformance suite of MCP against the server, through a bridge.

    scripts/conformance.py BINARY SUITE [--node NODE] [--all]

SUITE is the folder of an installed npm package `@modelcontextprotocol/conformance`. Without --all the scenarios
are run that apply to a server over pipes with tools of its own; each of their checks must succeed, but for those
named below with the reason. With --all every scenario is run, and a table of the checks is printed: most want
tools, prompts and resources that only a test server has.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from http_bridge import Bridge

BRIDGE = "the bridge looks at no header"
TEST_TOOL = "wants a tool that only a test server has"
NO_SUCH = "the server has neither prompts nor resources"
# The scenarios that apply, and their checks that do not.
APPLY = {
    "server-initialize": {},
    "ping": {},
    "tools-list": {},
    "server-stateless": {
        "sep-2575-http-server-header-mismatch-400": BRIDGE,
        "sep-2575-server-rejects-undeclared-capability": TEST_TOOL,
        "sep-2575-missing-capability-http-400": TEST_TOOL,
        "sep-2575-http-server-no-independent-requests-on-stream": TEST_TOOL,
        "sep-2575-server-no-log-without-loglevel": TEST_TOOL,
    },
    "caching": {
        "sep-2549-prompts-list-caching-hints": NO_SUCH,
        "sep-2549-resources-list-caching-hints": NO_SUCH,
        "sep-2549-resources-templates-list-caching-hints": NO_SUCH,
    },
    "input-required-result-unsupported-methods": {},
}
SOURCE = "def alpha():\n    return 1\n"
GOOD = ["SUCCESS", "SKIPPED", "INFO"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("suite", type=pathlib.Path)
    parser.add_argument("--node", default="node")
    parser.add_argument("--all", action="store_true")
    args = parser.parse_args()
    package = json.loads((args.suite / "package.json").read_text())
    program = args.suite / package["bin"]["conformance"]

    def run(*words):
        ended = subprocess.run([args.node, program, *words], capture_output=True, text=True, timeout=120)
        return re.sub(r"\x1b\[\d*m", "", ended.stdout + ended.stderr)

    listed = run("list").split("Server scenarios")[1].split("Client scenarios")[0]
    scenarios = re.findall(r"^  - (\S+) \[(.*)\]$", listed, re.M)
    failed, passed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder, "repo")
        root.mkdir()
        (root / "a.py").write_text(SOURCE)
        env = {**os.environ, "XDG_CACHE_HOME": f"{folder}/cache"}
        with Bridge([str(args.binary.resolve()), "serve"], root, env) as bridge:
            for name, versions in scenarios:
                if name not in APPLY and not args.all:
                    continue
                for version in versions.split(","):
                    words = [] if version == "extension" else ["--spec-version", version]
                    # The suite waits a second for some answers, which a busy machine may not make.
                    for _ in range(1 if args.all else 3):
                        said = run("server", "--url", bridge.url, "--scenario", name, *words)
                        checks = re.findall(r"^\S+Z \[(\S+)\s*\] ([A-Z]+)", said, re.M)
                        bad = [f"{check} {state}" for check, state in checks if state not in GOOD]
                        good = sum(state == "SUCCESS" for _, state in checks)
                        wrong = [text for text in bad if text.split()[0] not in APPLY.get(name, {})]
                        if good and not wrong:
                            break
                    if args.all:
                        print(f"| {name} | {version} | {good} of {good + len(bad)} | {', '.join(bad)} |")
                        continue
                    passed += good
                    if wrong or not good:
                        failed.append(f"{name} ({version}): {', '.join(wrong) or said}")
    if not args.all:
        for text in failed:
            print(f"conformance: {text}", file=sys.stderr)
        state = "FAILED" if failed else "ok"
        print(f"Conformance suite {package['version']}: {state}, {passed} checks succeed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
