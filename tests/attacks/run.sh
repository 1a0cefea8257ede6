#!/usr/bin/env bash
# run.sh - every attack by name, against $TENON_BUILD/conformance-server and "tenon serve plan".
#
# After each of them the server is alive, answers a correct request, and memory and descriptors are
# back. Each script has a fresh server, so that what one leaves behind cannot hide in another.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tools/results.sh
. tests/lib/serve.sh
results_begin
build=${TENON_BUILD:-$PWD/build}
out=$build/attacks
rm -rf "$out"
mkdir -p "$out/run"
chmod 700 "$out/run"
export XDG_STATE_HOME=$out XDG_CONFIG_HOME=$out XDG_RUNTIME_DIR=$out/run
alice=alice-alice-alice-alice-0123456789
bob=bob-bob-bob-bob-bob-bob-0123456789
wrong=wrong-wrong-wrong-wrong

# Nobody's token is in what a server writes, whoever sent it and wherever.
keeps_secrets() {
	! grep -q -e "$alice" -e "$bob" -e "$wrong" "$serve_log" "$serve_log.out"
}

ulimit -n 8192 || echo 'run.sh: fewer than 8192 descriptors' >&2
for attack in doors smuggling headers handles floods; do
	if serve_start "$out/$attack.log" "$build/conformance-server" --http 127.0.0.1:0 \
		--token "alice=$alice" --token "bob=$bob" --bearer-subprotocol; then
		stage "attack-$attack" python3 "tests/attacks/$attack.py" "$serve_url" "$serve_pid" \
			"alice=$alice" "bob=$bob"
		expect attacks "$attack: alive" kill -0 "$serve_pid"
		expect attacks "$attack: ends in order" serve_stop
		expect attacks "$attack: no token in what the server writes" keeps_secrets
	else
		result failed attacks "$attack: no server"
	fi
done

printf '%s\n' "$alice" >"$out/token"
if serve_start "$out/plan.log" "$build/tenon" serve plan --http 127.0.0.1:0 --token-file "$out/token"; then
	stage attack-plan python3 tests/attacks/plan.py "$serve_url" "$serve_pid" "alice=$alice"
	expect attacks 'plan: ends in order' serve_stop
	# The second line is the token, for whoever has started it; nothing else has it.
	sed -i 2d "$serve_log"
	expect attacks 'plan: no token in what the server writes' keeps_secrets
	expect attacks 'plan: no token in what it keeps' \
		sh -c "! grep -rq --exclude=token --exclude=plan.log '$alice' '$out'"
else
	result failed attacks 'plan: no server'
fi
TENON_BUILD=$build stage attack-daemon python3 tests/attacks/daemon.py
results_end
