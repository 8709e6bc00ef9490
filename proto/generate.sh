#!/bin/sh
# Generates proto/gen/events.js and events.d.ts (not committed) from proto/sluice/v1.
set -eu
cd "$(dirname "$0")/.."
mkdir -p proto/gen
PATH="$PWD/node_modules/.bin:$PATH"
pbjs -t static-module -w esm --dependency protobufjs/minimal.js -p proto --null-semantics \
  --no-create --no-verify --no-delimited --no-service --no-typeurl --force-number \
  -o proto/gen/events.js proto/sluice/v1/envelope.proto
# Protobuf's style wants egress_ip, which becomes egressIp; the rest of the house writes egressIP.
sed -i 's/egressIp/egressIP/g; s/\(local\|remote\)Asn/\1ASN/g; s/providerId/providerID/g
  s/internalIps/internalIPs/g; s/routeServerIds/routeServerIDs/g' proto/gen/events.js
pbts -o proto/gen/events.d.ts proto/gen/events.js
