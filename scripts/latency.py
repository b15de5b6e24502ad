#!/usr/bin/env python3
"""Measure warm calls of ctx_explore over MCP stdio.

    scripts/latency.py BINARY ROOT [--rounds N] [--index-dir DIR] [QUESTION ...]

Starts `BINARY serve --root ROOT`, asks each question once to warm up, then N times each, and prints
the median and the 95th percentile of the milliseconds between request and reply, and the reply's size.
"""
import argparse
import json
import statistics
import subprocess
import time

DEFAULT = [
    "how does a request reach its handler",
    "where is the configuration read and validated",
    "how are errors reported to the caller",
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("root")
    parser.add_argument("questions", nargs="*")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--index-dir")
    args = parser.parse_intermixed_args()
    command = [args.binary, "serve", "--root", args.root]
    if args.index_dir:
        command += ["--index-dir", args.index_dir]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    number = 0

    def send(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        server.stdin.flush()

    def call(method, params):
        nonlocal number
        number += 1
        send({"id": number, "method": method, "params": params})
        while True:
            reply = json.loads(server.stdout.readline())
            if reply.get("id") == number:
                return reply

    client = {"name": "latency", "version": "1"}
    call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    send({"method": "notifications/initialized"})
    print("median_ms\tp95_ms\tbytes\tquestion")
    for question in args.questions or DEFAULT:
        request = {"name": "ctx_explore", "arguments": {"query": question}}
        for _ in range(200):
            text = call("tools/call", request)["result"]["content"][0]["text"]
            if "<final_answer>" in text:
                break
            time.sleep(0.5)
        times = []
        for _ in range(args.rounds):
            start = time.perf_counter()
            call("tools/call", request)
            times.append((time.perf_counter() - start) * 1000)
        times.sort()
        p95 = times[min(len(times) - 1, int(len(times) * 0.95))]
        print(f"{statistics.median(times):.1f}\t{p95:.1f}\t{len(text.encode())}\t{question}")
    server.stdin.close()
    server.wait(timeout=10)


main()
