#!/bin/sh
# Plays a simulation in parts on one machine, one process per processor. If you run it again, it plays only the missing parts.
# usage: parallel.sh VARIANT GAMES PARTS DIR [OPTIONS OF simulate]
set -eu
variant=$1 games=$2 parts=$3 folder=$4
shift 4
# The text in {= =} is evaluated by parallel, not by the shell.
# shellcheck disable=SC2016
seq 0 $((parts - 1)) | parallel --will-cite --halt soon,fail=1 --retries 2 \
    astragal simulate "$variant" --threads 1 \
    --games '{= $_ = int($_ * '"$games"' / '"$parts"') . ".." . int(($_ + 1) * '"$games"' / '"$parts"') =}' \
    --part "$folder" "$@"
astragal merge "$folder"
