#!/usr/bin/env bash
# Builds the image with buildah, which needs no Docker engine, and starts it once: as root on Debian 12.
#
#   deploy/build-image.sh [TARGET] [NAME]     TARGET: service (default) or sandbox; NAME: default tillfront:local
#
# NODE_IMAGE=… takes another base than the Dockerfile's. NODE_IMAGE=local makes one of Debian and the installed Node.js, for
# machines that reach no registry of images.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${1:-service}
name=${2:-tillfront:local}
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs DEBIAN_FRONTEND=noninteractive

bring() { command -v "$1" >/dev/null || apt-get install -y --no-install-recommends "${@:2}"; }
bring buildah buildah crun

# The first address of the machine's own package sources.
mirror() {
  cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1 | tr -d ' '
}

local_node() {
  bring debootstrap debootstrap
  local root container npm_folder
  root=$(mktemp -d)
  debootstrap --variant=minbase --include=ca-certificates,libatomic1 bookworm "$root" "$(mirror)" >/dev/null
  install -m 755 "$(readlink -f node_modules/.bin/node)" "$root/usr/local/bin/node"
  npm_folder=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  mkdir -p "$root/usr/local/lib/node_modules"
  cp -a "$npm_folder" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  # npm inside trusts and asks what npm on this machine does.
  local authorities registry
  authorities=$(npm config get cafile)
  registry=$(npm config get registry)
  mkdir -p "$root/usr/local/etc"
  printf 'registry=%s\n' "$registry" >"$root/usr/local/etc/npmrc"
  if [ -f "$authorities" ]; then
    cp "$authorities" "$root/usr/local/etc/authorities.pem"
    printf 'cafile=/usr/local/etc/authorities.pem\n' >>"$root/usr/local/etc/npmrc"
  fi
  container=$(buildah from scratch)
  buildah copy --quiet "$container" "$root" / >/dev/null
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah commit --quiet --rm "$container" localhost/tillfront-node:local >/dev/null
  rm -rf "$root"
}

base=()
if [ "${NODE_IMAGE:-}" = local ]; then
  local_node
  base=(--build-arg NODE_IMAGE=localhost/tillfront-node:local)
elif [ -n "${NODE_IMAGE:-}" ]; then
  base=(--build-arg "NODE_IMAGE=$NODE_IMAGE")
fi
buildah bud --format docker --layers=false "${base[@]}" --target "$target" --tag "$name" .

[ "$target" = service ] || exit 0
container=$(buildah from "$name")
trap 'buildah rm "$container" >/dev/null' EXIT
buildah run --user 1000:1000 "$container" -- node /app/dist/cli/main.js --version
buildah run --user 1000:1000 "$container" -- node /app/dist/cli/main.js profile check /app/profiles/paystack.json >/dev/null
echo "$name is built, and its command runs as user 1000."
