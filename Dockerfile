# The service, the worker and every command: TypeScript runs as it is, so nothing is built but the dependencies.

# The tags are exact; a registry could still move one. Whoever builds for others puts the digests behind them:
# docker buildx imagetools inspect node:24.21.0-bookworm-slim

FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The Node that npm brings for laptops is left out: the image has its own.
# The ffmpeg of 2018 that npm brings for laptops is left out as well, because Debian's is kept up.
# Some packages ship programs that only their owner may run, and the service runs as another user.
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/.bin/node node_modules/@ffmpeg-installer node_modules/@ffprobe-installer \
  && chmod -R a+rX node_modules

FROM node:24.21.0-bookworm-slim
# The commit that /version tells: docker build --build-arg COMMIT="$(git rev-parse HEAD)" .
ARG COMMIT=""
# What is freed outside of JavaScript's heap goes back to the system: a hundred megabytes of a busy node.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_TRIM_THRESHOLD_=131072
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8787 DATA_DIR=/data
WORKDIR /app
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ffmpeg \
  && rm -rf /var/lib/apt/lists/*
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY schema ./schema
COPY layers ./layers
COPY src ./src
RUN if [ -n "$COMMIT" ]; then printf '%s\n' "$COMMIT" > COMMIT; fi \
  && install -d -o node -g node -m 0711 /data \
  && install -d -o node -g node node_modules/.cache
USER node
# Keeps the compiled code of every command, because the root of a running container is read-only.
RUN node --disable-warning=ExperimentalWarning src/main.ts --help > /dev/null
VOLUME /data
EXPOSE 8787
# The service ends on SIGTERM by itself: DRAIN_SECONDS later, and within five more for what it had begun.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "src/main.ts"]
CMD ["serve"]
