#!/usr/bin/env bash
# Makes the secrets that deploy/compose.yaml mounts: fresh random ones, each in a file of its own. What is there already stays.
# Usage: deploy/make-secrets.sh [FOLDER]
set -euo pipefail
folder=${1:-$(dirname "${BASH_SOURCE[0]}")/secrets}

# Others on this machine cannot look into the folder; a container, which gets single files of it, can read them.
mkdir -p "$folder"
chmod 700 "$folder"
umask 222

make() {
  local name=$1
  shift
  if [ -s "$folder/$name" ]; then
    echo "$name is there"
  else
    # Whole or not at all.
    "$@" >"$folder/.$name.new" 2>/dev/null
    mv "$folder/.$name.new" "$folder/$name"
    echo "made $name"
  fi
}
database_url() { printf 'postgres://tillfront:%s@postgres:5432/tillfront' "$(cat "$folder/postgres_password")"; }

make merchant_api_key openssl rand -hex 32
make secret_key openssl rand -base64 48
make card_encryption_key openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048
make postgres_password openssl rand -hex 24
make database_url database_url
