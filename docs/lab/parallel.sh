#!/bin/sh
# A simulation in parts on one machine: as many processes as processors, restarted parts cost nothing.
# usage: parallel.sh VARIANT GAMES PARTS DIR [OPTIONS OF simulate]
set -eu
variant=$1 games=$2 parts=$3 folder=$4
shift 4
# What stands in {= =} is for parallel, not for the shell.
# shellcheck disable=SC2016
seq 0 $((parts - 1)) | parallel --will-cite --halt soon,fail=1 --retries 2 \
    astragal simulate "$variant" --threads 1 \
    --games '{= $_ = int($_ * '"$games"' / '"$parts"') . ".." . int(($_ + 1) * '"$games"' / '"$parts"') =}' \
    --part "$folder" "$@"
astragal merge "$folder"
