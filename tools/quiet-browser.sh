#!/bin/sh
# Start a browser at the lowest priority, for machines without a graphics card: drawing in software, it would take the
# time of the control loop. A browser that runs as root would raise its own priority again, so it may not.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  exec setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice nice -n 19 "$@"
fi
exec nice -n 19 "$@"
