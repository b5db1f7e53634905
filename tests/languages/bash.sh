#!/usr/bin/env bash
# Moves the database to another host.
#
# Usage: bash.sh [--dry-run] HOST

set -euo pipefail

# How often to try.
readonly ATTEMPTS=3
declare -r -a HOSTS=(one two
  three)
export PATH="$PATH:/opt/bin" LANG=C
NAME=value
LONG="a value that is long enough that nobody wants to read it in an interface, where it would only waste room"
TABLES=$(
  list_tables | sort
)
declare -A counts
typeset -i total=0
first=1 second=2

# Prints an error and ends.
# $1: the message
function fail() {
  local message=$1
  GLOBAL_INSIDE=1
  inner() { :; }
  echo "$message" >&2
}

log () {
  echo "$@"
}

function retry
{
  for ((i = 0; i < ATTEMPTS; i++)); do "$@" && return; done
}

in_directory() (
  cd "$1"
)

quick() { echo quick; } # not about the next

if [[ -n "${DEBUG:-}" ]]; then
  # Only when debugging.
  trace() { set -x; }
fi

main() {
  cat <<TEXT
function not_one() {
TEXT
  log "$@"
}

@test "moves everything" {
  run main
  [ "$status" -eq 0 ]
}

main "$@"

broken() {
  if true; then
