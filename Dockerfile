# One image for all rooms and the command line: Node, the bundled programs, and no package manager.
# `make image` builds it; test/chart/image.test.ts carries out the steps of `build` without a builder.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . ./
RUN sh tools/bundle.sh dist

FROM node:24.21.0-bookworm-slim AS runtime
# /var/lib/dpkg/status stays: scanners read from it what is in here.
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /opt/yarn* /usr/local/bin/npm \
  /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /usr/bin/apt* /usr/bin/dpkg* \
  /usr/lib/apt /var/lib/apt /var/cache/* /etc/apt /var/log/* /tmp/*

# One layer: what was removed is not in the image either.
FROM scratch
COPY --from=runtime / /
COPY --from=build /build/dist /sluice
ENV NODE_ENV=production PATH=/usr/local/bin:/usr/bin:/bin
WORKDIR /sluice
USER 65532:65532
# A room is started by the command that its Deployment names.
CMD ["node", "/sluice/bin/sluice.mjs", "--help"]
