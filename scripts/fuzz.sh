#!/usr/bin/env bash
# Runs the fuzz targets side by side for a while, each from a corpus of this repository's own sources.
#
#   scripts/fuzz.sh SECONDS [TARGET...]
#
# Needs cargo-fuzz (`cargo install cargo-fuzz`). Corpora, logs and what crashes are kept below fuzz/; at the
# end a line for each target says how often it ran and how many inputs crashed, were slow or took too much
# memory. ADDRESS=1 builds the C code (grammars, SQLite) with GCC's address sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:?how many seconds}
shift
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(
    extract_rust extract_python extract_kotlin extract_java extract_typescript extract_tsx extract_javascript
    extract_go query lines cache
)

export RUSTFLAGS="${RUSTFLAGS:-}" CFLAGS="${CFLAGS:-}"
folder=${CARGO_TARGET_DIR:-fuzz/target}
if [ "${ADDRESS:-}" = 1 ]; then
    folder=$folder/address
    CFLAGS="$CFLAGS -fsanitize=address -fno-omit-frame-pointer"
    RUSTFLAGS="$RUSTFLAGS -Clink-arg=-fsanitize=address"
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:use_sigaltstack=0}
fi
build() {
    nice -n 19 cargo fuzz build --sanitizer none --target-dir "$folder" "$1"
}
for target in "${targets[@]}"; do build "$target"; done
host=$(rustc -vV | sed -n 's/^host: //p')

seed() {
    local target=$1 corpus=fuzz/corpus/$1
    [ ! -e "$corpus" ] || return 0
    mkdir -p "$corpus"
    case $target in
        extract_rust) sources='*.rs' ;;
        extract_python) sources='*.py' ;;
        extract_kotlin) sources='*.kt' ;;
        extract_java) sources='*.java' ;;
        extract_typescript) sources='*.ts' ;;
        extract_tsx) sources='*.tsx' ;;
        extract_javascript) sources='*.[cm]js' ;;
        extract_go) sources='*.go' ;;
        query) python3 - "$corpus" <<'PYTHON'
import json, pathlib, sys
for suite in sorted(pathlib.Path("tests/suites").glob("*.ndjson")):
    for at, line in enumerate(filter(None, suite.read_text().split("\n"))):
        case = json.loads(line)
        question = case.get("query") or case.get("question") or line
        pathlib.Path(sys.argv[1], f"{suite.stem}-{at}").write_bytes(b"\x40\x04" + question.encode())
PYTHON
            return ;;
        lines) python3 - "$corpus" <<'PYTHON'
import json, pathlib, sys
meta = {"progressToken": 1}
greeting = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
call = {"name": "ctx_explore", "arguments": {"query": "q"}, "_meta": meta}
def request(method, params=None, id=1):
    return {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})}
hello = request("initialize", greeting)
ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}
sessions = [
    [hello, ready, request("tools/list", id=2)],
    [hello, ready, request("tools/call", call, 2), cancel, request("ping", id="x")],
    [request("server/discover"), request("tools/list", id=2), hello],
    [[hello, ready], None, 1, "text", {}],
    [hello, {"jsonrpc": "2.0", "id": 7, "result": {"roots": [{"uri": "file:///a"}]}}],
]
for at, session in enumerate(sessions):
    text = "".join(json.dumps(message) + "\n" for message in session)
    pathlib.Path(sys.argv[1], f"session-{at}").write_text(text)
PYTHON
            return ;;
        *)
            printf '\0\6\0\1\0\1' >"$corpus/flip"
            printf '\1\4\0\0\0\0' >"$corpus/gone"
            printf '\2\0\20\0\0\0\3\2\4\0\0\7' >"$corpus/cut"
            return ;;
    esac
    # Whole small files, and the beginnings of large ones.
    local at=0
    while IFS= read -r file; do
        at=$((at + 1))
        head -c 6000 "$file" >"$corpus/$at-$(basename "$file")"
    done < <(find fixtures src tests scripts benches fuzz/src -name "$sources" -size +0 | sort)
}

# The stack of the threads that index.
ulimit -s 16384
mkdir -p fuzz/logs
for target in "${targets[@]}"; do
    seed "$target"
    mkdir -p "fuzz/artifacts/$target"
    options=(-max_total_time="$seconds" -timeout=60 -rss_limit_mb=3000 -max_len=8192 -print_final_stats=1
        -artifact_prefix="fuzz/artifacts/$target/" -report_slow_units=20)
    [ ! -e "fuzz/dictionaries/$target" ] || options+=(-dict="fuzz/dictionaries/$target")
    case $target in
        cache) options+=(-max_len=48) ;;
    esac
    # A crash does not end the run: it goes on in a new process.
    options+=(-fork=1 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1)
    nice -n 19 "$folder/$host/release/$target" "${options[@]}" "fuzz/corpus/$target" \
        >"fuzz/logs/$target" 2>&1 &
done
wait
for target in "${targets[@]}"; do
    count=$(find "fuzz/artifacts/$target" -type f | wc -l)
    echo "$target: $(grep -aE '^#[0-9]+' "fuzz/logs/$target" | tail -n 1); $count inputs kept in fuzz/artifacts"
done
