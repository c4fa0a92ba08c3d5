#!/bin/bash
# Moves one crypto unit of a logical domain to another, with the CPUs of its core, through the API alone.
#
#   KEYRACK=https://keyrack.example.org TOKEN=… APPROVER_TOKEN=… ./move-a-unit.sh HOST FROM TO
#   … ./move-a-unit.sh --roll-back CHANGE
#
# TOKEN is an operator's, APPROVER_TOKEN that of another person who may approve. Needs curl and jq.
# Where a phase ends in a reboot, it says so and goes on when the domain is back.
set -euo pipefail

api() {
  local token=$1 path=$2
  shift 2
  curl -sS --fail-with-body -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$KEYRACK/api/v1$path" "$@"
}

change() { api "$TOKEN" "/changes/$1/"; }

# Wait until the change is in one of the states of a regular expression, and print that state.
state_once() {
  local state
  while true; do
    state=$(change "$1" | jq -r .state)
    if [[ $state =~ ^($2)$ ]]; then echo "$state"; return; fi
    sleep 1
  done
}

request() {
  local host=$1 from=$2 to=$3 id matrix parameters
  id=$(api "$TOKEN" "/hosts/?search=$host" | jq -er --arg name "$host" 'first(.results[] | select(.name == $name)).id') \
    || { echo "There is no host $host." >&2; exit 1; }
  matrix=$(api "$TOKEN" "/hosts/$id/matrix/")
  # A unit serves only a domain that has strands of its core, so a core's worth of CPUs goes with it.
  parameters=$(jq -en --argjson matrix "$matrix" --arg from "$from" --arg to "$to" '
    ($matrix.domains | map({key: .name, value: .}) | from_entries) as $domains
    | ([$matrix.units[] | select(.domain_key == $from)][0].cpuset | length) as $strands
    | {counts: {($from): ($domains[$from].unit_count - 1), ($to): ($domains[$to].unit_count + 1)},
       vcpus: {($from): ($domains[$from].vcpu - $strands), ($to): ($domains[$to].vcpu + $strands)}}') \
    || { echo "$host has no unit of $from that could go to $to." >&2; exit 1; }
  api "$TOKEN" /changes/ --data "$(jq -n --arg host "$id" --argjson parameters "$parameters" \
    '{host: $host, kind: "unit.assign", parameters: $parameters, reason: "Moved by move-a-unit.sh"}')" | jq -r .id
}

if [[ ${1-} == --roll-back ]]; then
  pk=$(api "$TOKEN" "/changes/$2/rollback/" --data '{"reason": "Rolled back by move-a-unit.sh"}' | jq -r .id)
else
  pk=$(request "${1:?HOST}" "${2:?FROM}" "${3:?TO}")
fi

state=$(state_once "$pk" 'planned|awaiting_approval|succeeded|failed|expired')
if [[ $state == failed || $state == expired ]]; then change "$pk" | jq -r .message >&2; exit 1; fi
echo "change $pk: $(change "$pk" | jq -r .plan.sentence)"
change "$pk" | jq -r '.plan.phases[] | "  " + .title, (.steps[] | "    $ " + (.argv | join(" ")))'
change "$pk" | jq -r '.plan.consequences[] | "  ! \(.subject): \(.text)"'

body=$(change "$pk" | jq '{plan_digest: .plan.digest}')
if [[ $state == awaiting_approval ]]; then
  api "$APPROVER_TOKEN" "/changes/$pk/approve/" --data "$body" >/dev/null
fi
if [[ $state != succeeded ]]; then api "$TOKEN" "/changes/$pk/apply/" --data "$body" >/dev/null; fi

said=
while true; do
  state=$(state_once "$pk" 'waiting_reboot|succeeded|failed|rolled_back|needs_attention|stale|cancelled|expired')
  if [[ $state != waiting_reboot ]]; then break; fi
  waiting=$(change "$pk" | jq -r '.waiting | .text, (.commands[] | "    " + .)')
  if [[ $waiting != "$said" ]]; then echo "$waiting"; said=$waiting; fi
  sleep 2
  api "$TOKEN" "/changes/$pk/check/" --data '{}' >/dev/null || true # it may have gone on by itself
done
echo "$state: $(change "$pk" | jq -r .message)"
[[ $state == succeeded ]]
