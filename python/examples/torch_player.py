"""Train a network with PyTorch and let Astragal play with it.

    python torch_player.py einstein.learned --game einstein --rounds 4 --games 1000

The first round of games is played by `greedy`, and each later one by the network itself. After each round, the network learns
to predict the results of all games so far. `Game.write_network` writes it to the file, so that it plays as `learned:FILE`
everywhere: here in a match against `greedy`, and in `astragal play --computer second=learned:FILE`.

Requires PyTorch: pip install torch
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found, unused-ignore]

import astragal

Floats = npt.NDArray[np.float32]
#: A position, as the numbers and the values of its features, with the target outputs.
Lesson = tuple[npt.NDArray[np.uint32], Floats, Floats]


class Network(torch.nn.Module):  # type: ignore[misc, unused-ignore]
    """The network that Astragal's files contain: one hidden layer whose units respond with x / (1 + |x|)."""

    def __init__(self, features: int, hidden: int, outputs: int) -> None:
        super().__init__()
        # Sums the rows of the features that are not zero. Most features are zero.
        self.hidden = torch.nn.EmbeddingBag(features, hidden, mode="sum")
        self.bias = torch.nn.Parameter(torch.zeros(hidden))
        self.output = torch.nn.Linear(hidden, outputs)
        torch.nn.init.normal_(self.hidden.weight, std=0.1)

    def forward(self, numbers: torch.Tensor, starts: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        """The outputs before the last sigmoid. The features of all positions are concatenated; each position begins at one of `starts`."""
        sums = self.hidden(numbers, starts, per_sample_weights=values) + self.bias
        logits: torch.Tensor = self.output(torch.nn.functional.softsign(sums))
        return logits

    def weights(self) -> list[Floats]:
        """The weights in the order of `Game.write_network`."""
        parts = [self.hidden.weight, self.bias, self.output.weight, self.output.bias]
        return [part.detach().numpy() for part in parts]


def lessons(game: astragal.Game, player: str, games: int, seed: int, explore: float) -> Iterator[Lesson]:
    """Plays games, and yields the position at the start of each turn with the outputs that predict the result."""
    draw = np.random.default_rng(seed)
    for _ in range(games):
        state = game.new_initial_state(seed=int(draw.integers(2**60)))
        seen, turn = [], -1
        while not state.is_terminal() and state.move_number() < 4000:
            if state.turn_number() != turn:
                turn = state.turn_number()
                seen.append((*state.features(), state.feature_player()))
            if state.is_chance_node():
                state.apply_action(state.sample_chance())
            elif draw.random() < explore:
                state.apply_action(int(draw.choice(state.legal_actions())))
            else:
                state.apply_action(state.choose(player, seed=int(draw.integers(2**60))))
        for numbers, values, viewer in seen:
            yield numbers, values, state.target_outputs(viewer)


def joined(batch: list[Lesson]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """A batch of positions as tensors: the arguments of `Network.forward`, and the targets."""
    lengths = [len(numbers) for numbers, _, _ in batch]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    numbers = np.concatenate([numbers for numbers, _, _ in batch]).astype(np.int64)
    values = np.concatenate([values for _, values, _ in batch])
    targets = np.stack([targets for _, _, targets in batch])
    return torch.from_numpy(numbers), torch.from_numpy(starts), torch.from_numpy(values), torch.from_numpy(targets)


def learn(network: Network, known: list[Lesson], epochs: int, rate: float, seed: int) -> float:
    """Trains the network on these positions; returns the mean loss of the last epoch."""
    draw = np.random.default_rng(seed)
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    mean = 0.0
    for epoch in range(epochs):
        order = draw.permutation(len(known))
        losses = []
        for first in range(0, len(known), 256):
            numbers, starts, values, targets = joined([known[place] for place in order[first : first + 256]])
            loss = torch.nn.functional.binary_cross_entropy_with_logits(network(numbers, starts, values), targets)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
            optimizer.step()
            losses.append(float(loss.detach()))
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - (epoch + 1) / epochs)
        mean = sum(losses) / len(losses)
    return mean


def train(
    file: str, game: astragal.Game, rounds: int, games: int, *, hidden: int = 80, epochs: int = 6, seed: int = 1
) -> Network:
    """Plays rounds of games, learns from them, and writes the network to the file after each round."""
    torch.manual_seed(seed)
    network = Network(game.feature_count, hidden, game.output_count)
    known: list[Lesson] = []
    for number in range(rounds):
        player = "greedy" if number == 0 else f"learned:{file}"
        known.extend(lessons(game, player, games, seed + number, explore=0.1))
        loss = learn(network, known, epochs, 2e-3, seed + number)
        played = (number + 1) * games
        game.write_network(file, network.weights(), games=played, positions=len(known))
        print(f"{played} games, {len(known)} positions, loss {loss:.3f}", flush=True)
    return network


def main() -> None:
    options = argparse.ArgumentParser(description="Train a network with PyTorch, and play a match against greedy.")
    options.add_argument("file", help="the file to write")
    options.add_argument("--game", default="einstein", help="the name or path of a script")
    options.add_argument("--rounds", type=int, default=4)
    options.add_argument("--games", type=int, default=1000, help="games per round")
    options.add_argument("--hidden", type=int, default=80)
    options.add_argument("--match", type=int, default=400, help="games against greedy")
    given = options.parse_args()
    torch.set_num_threads(1)
    game = astragal.load(given.game)
    begun = time.perf_counter()
    train(given.file, game, given.rounds, given.games, hidden=given.hidden)
    print(f"{(time.perf_counter() - begun) / 60:.1f} minutes")
    result = astragal.match(f"learned:{given.file}", "greedy", game, given.match)
    low, high = result["intervals"][0]
    print(f"against greedy: {result['wins'][0]} of {result['games']} won ({low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
