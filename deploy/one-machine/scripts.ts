// One machine's scripts: a restart without interruption, the nightly backup, and recovery to a
// point in time before a failure.
import { places } from '../cluster/values.ts'

/** A gateway's ports, as a sed expression. */
const portsOfOne = (port: number) => [0, 1, 2, 3, 4].map(at => port + at).join('|')

/** Before a gateway stops, nginx stops sending it requests, so no request reaches a closed port. */
export const restart = (ports: readonly number[]) => `#!/bin/sh
# Restarts every process, one by one. nginx stops using a gateway before it stops. If this script is
# interrupted, run systemctl reload telehealth-edge to make nginx use every gateway again.
set -eu
conf=${places.data}/edge/nginx.conf

reload() {
  systemctl kill --kill-whom=main --signal=HUP telehealth-edge
  # Waits while nginx's new workers replace the old ones.
  sleep 1
}

restart() { # its number, its ports
  sed -i -E "s/^( *server 127\\.0\\.0\\.1:($2) max_fails=0);/\\1 down;/" "$conf"
  reload
  systemctl restart "telehealth-gateway-$1"
  until curl -fs -o /dev/null "http://127.0.0.1:\${2%%|*}/api/ready"; do sleep 0.2; done
  sed -i -E 's/ down;$/;/' "$conf"
  reload
}

for port in ${ports.join(' ')}; do
  curl -fs -o /dev/null "http://127.0.0.1:$port/api/ready" || {
    echo "The gateway on port $port isn't ready. Nothing was restarted." >&2
    exit 1
  }
done
${ports.map((port, at) => `restart ${at + 1} '${portsOfOne(port)}'`).join('\n')}
systemctl restart telehealth-worker
`

/** Runs an operator's command from any folder, as the account that runs the platform. */
const admin = `admin() {
  (
    set -a
    . ${places.config}/platform.env
    HOME=${places.data}
    cd ${places.program}
    runuser -u telehealth -- node_modules/.bin/bun gateway/commands/admin.ts "$@"
  )
}`

export const nightly = (backups: string, port: number) => `#!/bin/sh
# Backs up the database, records the time for doctor, and verifies the audit log. The log's head is
# stored next to the backups, on the other machine. telehealth-nightly.timer runs this as root.
set -eu
cd /
to=${backups}/base/$(date -u +%FT%H%M%SZ)
${admin}

runuser -u postgres -- pg_basebackup --port=${port} --pgdata="$to" --wal-method=stream \\
  --checkpoint=fast
admin backup record
admin audit verify >>${backups}/audit.log
echo "Backed up the database to $to."
`

export const restore = (
  backups: string,
  { port, gateways }: { port: number; gateways: number },
) => `#!/bin/sh
# restore FOLDER [TIME]: restores the database to a point in time, from an earlier backup and the
# log. Without a time, replays the whole log. Moves the current files aside and deletes nothing.
set -eu
cd /
from=\${1:-}
if [ ! -f "$from/PG_VERSION" ]; then
  echo "Usage: $0 ${backups}/base/2026-11-21T030000Z ['2026-11-21 14:59:55+00']" >&2
  exit 2
fi
${admin}
query() { runuser -u postgres -- psql --port=${port} -qAt "$@"; }

set -- "\${2:-}" $(pg_lsclusters --no-header | awk '$3 == ${port} { print $1, $2, $6, $7 }')
cluster=postgresql@$2-$3 data=$4 log=$5 aside=$4.$(date -u +%FT%H%M%SZ)
stopped() {
  tail -n 5 "$log"
  echo "PostgreSQL stopped. If the log ends before the time you gave, run this again without one." >&2
  exit 1
}
systemctl stop telehealth-worker ${numbered(gateways)}
# PostgreSQL archives the rest of its log before it stops.
systemctl stop "$cluster"
mv "$data" "$aside"
cp -a "$from" "$data"
{
  echo "restore_command = 'cp \\"${backups}/log/%f\\" \\"%p\\"'"
  echo "recovery_target_action = 'promote'"
  [ -z "$1" ] || echo "recovery_target_time = '$1'"
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"
chown postgres:postgres "$data/recovery.signal"
chmod 700 "$data"
systemctl start "$cluster" || stopped
until [ "$(query -c 'select pg_is_in_recovery()')" = f ]; do
  systemctl is-active --quiet "$cluster" || stopped
  sleep 1
done
for setting in restore_command recovery_target_action recovery_target_time; do
  query -c "alter system reset $setting"
done
query -c 'select pg_reload_conf()' >/dev/null
admin audit verify
echo "Restored. The previous files are in $aside. Start the platform, and take a new backup right away:
  systemctl start ${numbered(gateways)} telehealth-worker telehealth-nightly"
`

const numbered = (gateways: number) =>
  Array.from({ length: gateways }, (_, at) => `telehealth-gateway-${at + 1}`).join(' ')
