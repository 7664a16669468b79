#!/bin/sh
# Start a server whose access control list has the hashes of passwords that the environment names.
# A user without a password is left out.
#
#     SERVICE_PASSWORD=… OPERATOR_PASSWORD=… start.sh /etc/redis/single.conf [option …]
set -eu
umask 077

users=${USERS:-/run/redis/users.acl}
template=$(dirname "$0")/users.acl
cp "$template" "$users"
for name in SERVICE REPLICA SENTINEL OPERATOR; do
  password=$(printenv "${name}_PASSWORD" || true)
  if [ -n "$password" ]; then
    hash=$(printf %s "$password" | sha256sum | cut -d ' ' -f 1)
    sed -i "s/@${name}_SHA256@/$hash/" "$users"
  else
    sed -i "/@${name}_SHA256@/d" "$users"
  fi
done
unset SERVICE_PASSWORD REPLICA_PASSWORD SENTINEL_PASSWORD OPERATOR_PASSWORD

exec redis-server "$@" --aclfile "$users"
