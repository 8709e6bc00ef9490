#!/bin/sh
# Fetches the Go modules of the tools while npm is still busy: no Node that runs TypeScript is
# there yet, so the build itself cannot begin. Says nothing: the build tells what is wrong.
cd "$(dirname "$0")" || exit 0
command -v go >/dev/null 2>&1 || exit 0
cache="${XDG_CACHE_HOME:-$HOME/.cache}/sluice/tools"
for module in */go.mod; do
  tool=$(dirname "$module")
  # Built on request only.
  case $tool in helm4 | prometheus) continue ;; esac
  # Three programs in one module, and of use only beside FRR.
  program=$tool
  if [ "$tool" = frrk8s ]; then
    [ -x /usr/lib/frr/bgpd ] || continue
    program=frr-k8s-controller
  fi
  ls "$cache/$program"-v*/"$program" >/dev/null 2>&1 && continue
  echo "fetching the Go modules of $tool beside npm's work" >&2
  (cd "$tool" && go list -deps tool >/dev/null 2>&1) &
done
wait
