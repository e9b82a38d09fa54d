#!/bin/sh
# Makes the secrets that compose.yaml reads, in the folder secrets/. It never replaces one: without the key, gifts that are out cannot be spent.
set -eu
folder="$(dirname "$0")/../secrets"
mkdir -p "$folder"
# Others cannot enter the folder. The files can be read by the users that the containers run as.
chmod 0700 "$folder"
cd "$folder"
for name in postgres-password database-url token-key; do
  if [ -e "$name" ]; then
    echo "secrets/$name is there already: nothing was changed." >&2
    exit 1
  fi
done
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
password="$(random)"
printf '%s' "$password" >postgres-password
printf 'postgres://giftwire:%s@postgres:5432/giftwire' "$password" >database-url
printf '%s' "$(random)" >token-key
chmod 0644 postgres-password database-url token-key
echo 'Made secrets/. Keep a copy of token-key apart from copies of the database.'
