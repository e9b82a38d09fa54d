# The image of Giftwire: docs/deploy.md says how to build and run it. It is at the root, because what it builds from is the whole project.
ARG BASE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${BASE} AS build
WORKDIR /build
# Packages first: this layer is made again only when they change. Their install scripts and ours need the rest of the project.
COPY package.json package-lock.json .npmrc ./
COPY sdk/package.json sdk/
COPY console/package.json console/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# What runs is what is published: the packed file, beside the exact packages of the lockfile. The Node of the image replaces the one from npm.
RUN npm pack --pack-destination /tmp \
 && mkdir /app && tar -xzf /tmp/giftwire-*.tgz --strip-components=1 -C /app \
 && npm ci --omit=dev --workspaces=false --no-audit --no-fund \
 && rm -rf node_modules/node-linux-* node_modules/.bin/node \
 && mv node_modules /app/ \
 && mkdir --mode=0700 /data

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 GIFTWIRE_DATA_DIR=/data
COPY --from=build /app /app
COPY --from=build --chown=1000:1000 /data /data
RUN ln -s /app/bin/giftwire.js /usr/local/bin/giftwire
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/giftwire.js"]
CMD ["serve"]
