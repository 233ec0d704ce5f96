# Juntas in a container: `docker compose up`, see docs/self-hosting.md.
FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-fund
COPY vite.config.ts tsconfig.json ./
COPY contract contract
COPY scripts scripts
COPY server server
COPY web web
# What only the build needs stays in this stage; Node itself is in the image.
RUN node scripts/run-task.mjs build && node scripts/prepare-packages-to-run.ts

FROM node:26-bookworm-slim
WORKDIR /app
RUN install -d -o node -g node -m 0700 /data /backups && ln -s /app/juntas /usr/local/bin/juntas
COPY --from=build /app/package.json /app/package-lock.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY juntas ./
COPY api-client api-client
COPY contract contract
COPY scripts scripts
COPY server server
USER node
# The address members type is yours to give: PUBLIC_URL, https.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# As process 1 it gets the signal itself, and drains.
CMD ["juntas", "serve"]
