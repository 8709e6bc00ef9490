#!/bin/sh
# Bundles each room and the command line, with all packages that they use, into the folder given
# (dist without one): the program of the image. Needs `npm ci` only.
set -eu
cd "$(dirname "$0")/.."
out=${1:-dist}
PATH="$PWD/node_modules/.bin:$PATH"
sh proto/generate.sh
rooms=''
for main in services/*/main.ts; do
  rooms="$rooms $(basename "$(dirname "$main")")=$main"
done
rm -rf "$out"
# Packages in the old module format ask for Node's modules by `require`. What only a laptop needs
# (kubeconfig) lies in files of its own, which a pod never loads.
# shellcheck disable=SC2086
esbuild $rooms sluice=cli/sluice.ts --bundle --splitting --platform=node --target=node24 \
  --format=esm --outdir="$out/bin" --out-extension:.js=.mjs --chunk-names=part-[hash] \
  --legal-comments=external --log-level=warning \
  --banner:js="import { createRequire as requireOf } from 'node:module'; \
const require = requireOf(import.meta.url);"
# Where the programs look for their version.
cp package.json "$out/"
