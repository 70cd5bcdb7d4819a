#!/bin/sh
#SBATCH --job-name=astragal
#SBATCH --array=0-49
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
# Each task of the array plays one part. When all are done, run this on any node: astragal merge parts
# If a task was killed, submit it again with 'sbatch --array=N slurm.sh'. Complete parts are not played again.
set -eu
games=${GAMES:-1000000} parts=${PARTS:-50}
first=$((SLURM_ARRAY_TASK_ID * games / parts))
last=$(((SLURM_ARRAY_TASK_ID + 1) * games / parts))
exec astragal simulate dice-chess --threads 1 --games "$first..$last" --part parts
