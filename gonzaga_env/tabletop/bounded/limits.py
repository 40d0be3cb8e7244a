"""All limits of what this project reads from files and requests."""

from __future__ import annotations

MIB = 2**20

# TOML: an edition's files.
TOML_BYTES = 2**17
TOML_DOTS = 100  # in a line

# JSON: records, states' headers, results, descriptions, curves and requests.
RECORD_LINE = 2**17  # bytes of a record
RESULTS_LINE = 2**16  # bytes of a line of a tournament's results
RESULTS_BYTES = 512 * MIB  # of a tournament's results
DESCRIPTION_BYTES = 16 * MIB  # of what comes with a checkpoint or a policy

# Results of games: of tournaments and of the benchmark.
GAME_POINTS = 2**31  # of a seat, above or below 0
GAME_ROUNDS = 2**31

# Zip: checkpoints, the weights within them, and .npz files. Members are stored as they are.
ZIP_DIRECTORY = 512 * 1024  # bytes of all members' names and places

# Arrays: .npy within .npz, and states.
ARRAY_HEADER = 256  # bytes
ARRAY_AXES = 8
STATE_HEADER = 10_000  # bytes
VALUE_BYTES = 4 * MIB  # of a learned value
SOLUTION_BYTES = 256 * MIB  # of a solution of a small edition

# Weights: what torch saves.
CHECKPOINT_BYTES = 256 * MIB
PICKLE_BYTES = MIB  # of the pickle that names the tensors
PICKLE_OPCODES = 20_000
POLICY_BYTES = 64 * MIB  # of a policy's weights in numpy
