#!/bin/sh
# Starts a browser as a user of its own, with its sandbox: for a service that runs as root.
# BROWSER_PROGRAM, BROWSER_UID: what to start, and as whom; everything else is the browser's own command line.
set -eu
for argument; do
  case $argument in
    # Made by root a moment ago, for this browser alone.
    --user-data-dir=*) chown -R "$BROWSER_UID:$BROWSER_UID" "${argument#*=}" ;;
  esac
done
program=$BROWSER_PROGRAM
uid=$BROWSER_UID
unset BROWSER_PROGRAM BROWSER_UID
exec setpriv --reuid="$uid" --regid="$uid" --clear-groups --inh-caps=-all -- "$program" "$@"
