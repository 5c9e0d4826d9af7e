# syntax=docker/dockerfile:1.27.1@sha256:4edf897a3ffa55b89f906fc8cc78afdb3f1834cc9c7083565e611a8a7d5fe99e
# The service's image: `docker build -t tillfront .`
# With --target sandbox: the sandbox gateway, to try it without an account.

# The digest decides, the tag says which it is: the Node.js of package.json, which tests run on. .github/renovate.json keeps both current.
ARG NODE_IMAGE=node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src src
COPY browser browser
COPY bin/bundle.js bin/
COPY docs/openapi.json docs/
RUN npm run build

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# What npm brings Node.js itself with is optional, and the image has one.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
# Types, source maps and read-mes are half of what is left.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -iname 'readme*' -o -iname 'changelog*' \) -delete
# The built file asks /usr/bin/env for Node.js, which the image lacks; this one names it.
RUN mkdir empty bin && printf '%s\n' '#!/usr/local/bin/node --disable-sigusr1' 'import "../dist/cli/main.js";' > bin/tillfront && chmod 755 bin/tillfront

# What an image needs beside our files: Node.js, the libraries that it names, its user, where names of hosts are looked up, and by
# what scanners know Debian's packages. No shell, no npm, no package manager: docs/decisions/0015-an-image-without-a-shell.md.
FROM ${NODE_IMAGE} AS runtime
WORKDIR /runtime
RUN mkdir -p dev etc proc sys tmp usr/local/bin usr/share/doc var/lib/dpkg/status.d && chmod 1777 tmp && cp /usr/local/bin/node usr/local/bin/
RUN for library in $(ldd usr/local/bin/node | grep -o '/[^ )]*'); do \
  package=$(dpkg-query --search "*/${library##*/}" | cut -d: -f1 | head -n1) && \
  dpkg-query --status "$package" > "var/lib/dpkg/status.d/$package" && \
  cp --parents --dereference "$library" "/usr/share/doc/$package/copyright" . || exit 1; done
RUN cp --dereference /etc/os-release etc/ && printf 'hosts: files dns\n' > etc/nsswitch.conf && \
  printf 'tillfront:x:1000:1000::/:/none\n' > etc/passwd && printf 'tillfront:x:1000:\n' > etc/group
RUN chroot . /usr/local/bin/node --version

FROM scratch AS bare
COPY --from=runtime /runtime /
ENV PATH=/app/bin:/usr/local/bin

FROM bare AS sandbox
ENV NODE_ENV=production SANDBOX_HOST=0.0.0.0
WORKDIR /app
COPY package.json ./
COPY sandbox sandbox
# All that it needs of npm.
COPY --from=dependencies /app/node_modules/jose node_modules/jose
USER 1000:1000
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.SANDBOX_PORT||4010)+'/sandbox').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "sandbox/main.ts"]

FROM bare AS service
LABEL org.opencontainers.image.title="Tillfront" \
  org.opencontainers.image.description="Merchant-side backend-for-frontend for a payment gateway" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="1.0.0"
# Memory before speed, as a shop's machine is small: docs/container.md has the figures.
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=1
WORKDIR /app
COPY LICENSE package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/bin bin
COPY --from=build /src/dist dist
# The worked profiles, to look at: `tillfront profile check profiles/paystack.json`.
COPY profiles profiles
# The only place where the service writes, and only with the embedded store.
COPY --from=dependencies --chown=1000:1000 /app/empty /data
USER 1000:1000
EXPOSE 3000
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=15s CMD ["node", "/app/dist/cli/main.js", "health", "--live"]
# Nobody opens the inspector of a process that has cards in its memory.
ENTRYPOINT ["node", "--disable-sigusr1", "--min-semi-space-size=16", "--max-semi-space-size=16", "--max-old-space-size=512", "/app/dist/service/main.js"]
