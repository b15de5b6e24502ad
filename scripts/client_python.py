#!/usr/bin/env python3
"""Use the server through the Python SDK of MCP (package `mcp`), over pipes.

    scripts/client_python.py BINARY

Run by scripts/clients.py, which installs the package. Lists the tools, calls each with right and with wrong
arguments, follows the progress of a first index, cancels a call, and sends forty calls at once; once with
the greeting and once with the versions of the protocol that have none.
"""
import asyncio
import pathlib
import sys
import tempfile

from mcp import Client, MCPError, StdioServerParameters

TOOLS = ["ctx_explore", "ctx_symbol", "ctx_search", "ctx_status"]
SOURCE = "def alpha():\n    return beta()\n\n\ndef beta():\n    return 1\n"
RIGHT = [
    ("ctx_explore", {"query": "what does alpha return"}, "<final_answer>\na.py:"),
    ("ctx_explore", {"query": "alpha", "citation": True}, "<final_answer>\na.py:1-2  alpha (function)\n"),
    ("ctx_symbol", {"name": "beta"}, "a.py:5-6"),
    ("ctx_symbol", {"name": "betta"}, "beta"),
    ("ctx_search", {"pattern": "return \\d", "regex": True}, "in beta (function)"),
    ("ctx_status", {}, "Index: complete."),
]
WRONG = [
    ("ctx_explore", {}, "needs the argument `query`"),
    ("ctx_explore", {"query": "q", "max_byte": 5}, "`max_bytes`"),
    ("ctx_symbol", {"name": 7}, "name"),
    ("ctx_search", {"pattern": "(", "regex": True}, "not a regular expression"),
    ("ctx_search", {"pattern": "x", "path": "../.."}, "outside of the root"),
    ("ctx_status", {"verbose": True}, "takes no arguments"),
]


def check(holds, what, seen):
    if not holds:
        raise SystemExit(f"client_python: {what}: {seen}")


def text(result):
    check(len(result.content) == 1 and result.content[0].type == "text", "not one text block", result)
    check(result.structured_content is None, "structured content hides the text", result)
    return result.content[0].text


async def small(binary, root, mode):
    server = StdioServerParameters(command=binary, args=["serve"], cwd=root, env={"XDG_CACHE_HOME": f"{root}-cache"})
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        check([tool.name for tool in tools] == TOOLS, "other tools", tools)
        for tool in tools:
            check(tool.annotations.read_only_hint and tool.output_schema is None, "not as it should be", tool)
        for name, arguments, part in RIGHT:
            result = await client.call_tool(name, arguments)
            check(not result.is_error and part in text(result), f"{name} {arguments}", result)
        for name, arguments, part in WRONG:
            result = await client.call_tool(name, arguments)
            check(result.is_error and part in text(result), f"{name} {arguments}", result)
        try:
            check(False, "an unknown tool is called", await client.call_tool("ctx_nothing", {}))
        except MCPError as error:
            check("ctx_explore" in str(error), "an unknown tool", error)
        calls = [client.call_tool("ctx_symbol", {"name": "beta"}) for _ in range(40)]
        texts = {text(result) for result in await asyncio.gather(*calls)}
        check(len(texts) == 1, "forty calls differ", texts)
        return client.protocol_version


async def large(binary, root, mode):
    """The first index: progress, a call that is cancelled, and the answer when it is there."""
    seen = []

    async def progress(done, total, message):
        seen.append((done, total, message))

    server = StdioServerParameters(command=binary, args=["serve"], cwd=root, env={"XDG_CACHE_HOME": f"{root}-cache"})
    async with Client(server, mode=mode) as client:
        cancelled = asyncio.create_task(client.call_tool("ctx_explore", {"query": "what does step_7_3 return"}))
        await asyncio.sleep(0.05)
        cancelled.cancel()
        status = await client.call_tool("ctx_status", {})
        check("being built" in text(status), "the index is there at once", status)
        result = await client.call_tool("ctx_symbol", {"name": "step_7_3"}, progress_callback=progress)
        check("module_7.py" in text(result), "the answer", result)
        check(cancelled.cancelled(), "the cancelled call was answered", cancelled)
        check(seen, "no progress", seen)
        check(all(0 <= done <= total for done, total, _ in seen), "progress is not a part of a whole", seen)
        check([step[0] for step in seen] == sorted(step[0] for step in seen), "progress goes back", seen)


def files(root):
    """Enough Python to take a moment to index."""
    for module in range(1500):
        folder = root / f"pkg{module % 50}"
        folder.mkdir(parents=True, exist_ok=True)
        steps = "".join(f"def step_{module}_{at}(value):\n    return helper(value) + {at}\n\n" for at in range(40))
        (folder / f"module_{module}.py").write_text(f"def helper(value):\n    return value\n\n{steps}")


async def main(binary):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "small").mkdir()
        (folder / "small" / "a.py").write_text(SOURCE)
        versions = [await small(binary, folder / "small", mode) for mode in ["legacy", "auto"]]
        for mode in ["legacy", "auto"]:
            files(folder / f"large-{mode}")
            await large(binary, folder / f"large-{mode}", mode)
    check(len(set(versions)) == 2, "one version for both ways to begin", versions)
    print(f"Python SDK: ok (protocol {' and '.join(versions)})")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    asyncio.run(main(str(pathlib.Path(sys.argv[1]).resolve())))
