"""The network of places: logits of choices from what they cover and open, and a value.

A place is seen by its planes, its neighbors' and the position as a whole; a choice by the sum of
the places that it covers and by its words. A choice that opens later ones, such as a plan, is worth
the soft maximum of these, scored by the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

import torch
from torch import Tensor, nn

from .geometry import CLOSED, LOOKED_AT, GeometryInputs, GeometrySizes
from .layers import PADDING, check_width
from .scene import Scene


class GeometryBatch(NamedTuple):
    """Inputs as tensors; indices are int64, and `padding` marks choices that do not exist.

    Nothing is for the critic alone: `secrets` are empty.
    """

    seen: Tensor
    numbers: Tensor
    actions: Tensor
    covers: Tensor
    opened: Tensor
    situation: Tensor
    closed: Tensor
    padding: Tensor
    secrets: Tensor

    @classmethod
    def of(cls, inputs: GeometryInputs, device: torch.device | str = "cpu") -> Self:
        """Returns the tensors of inputs on a device."""
        tensors = {name: torch.from_numpy(a).to(device) for name, a in inputs.arrays().items()}
        padding = tensors["actions"] < 0
        return cls(**tensors, padding=padding, secrets=tensors["numbers"][:, :0])

    def take(self, rows: Tensor) -> Self:
        """Returns some of the decisions."""
        return type(self)(*(tensor[rows] for tensor in self))


class GeometryNetwork(nn.Module):
    """A policy and a value over `GeometryInputs` (see `TrainableNetwork`)."""

    batch = GeometryBatch
    num_choices = 2**15  # or fewer: `GeometryInputs.actions` tells no more apart

    scales: Tensor
    static: Tensor
    words: Tensor
    open_cells: Tensor
    is_word: Tensor
    open_words: Tensor
    missing: Tensor

    def __init__(self, sizes: GeometrySizes, width: int = 64) -> None:
        """Builds the network; places have half as many units as the position.

        Raises:
            OptionError: the width is out of range.
        """
        check_width(width)
        super().__init__()
        scene, half = sizes.scene, width // 2
        num_words = self._keep_tables(scene, sizes.scales)
        self.context = nn.Sequential(
            nn.Linear(sizes.numbers, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.place_seen = nn.Linear(len(sizes.scales), half)
        self.place_static = nn.Linear(scene.static.shape[1], half, bias=False)
        self.place_context = nn.Linear(width, half, bias=False)
        self.place_worth = nn.Linear(half, 1, bias=False)
        self.word = nn.Linear(num_words, half, bias=False)
        self.word_worth = nn.Linear(num_words, 1, bias=False)
        self.choice_places = nn.Linear(half, half)
        self.choice_context = nn.Linear(width, half, bias=False)
        self.choice_opened = nn.Linear(half, half, bias=False)
        self.choice_out = nn.Linear(half, 1)
        self.opened_weight = nn.Parameter(torch.ones(2))  # of their worth; how sharp the maximum is
        self.value = nn.Sequential(nn.Linear(width + half, half), nn.ReLU(), nn.Linear(half, 1))
        for layer in (self.choice_out, self.place_worth, self.word_worth):
            nn.init.normal_(layer.weight, std=0.01)
        nn.init.zeros_(self.choice_out.bias)

    def _keep_tables(self, scene: Scene, scales: Sequence[float]) -> int:
        """Keeps the tables of a scene beside the weights, unsaved; returns the number of words."""
        is_word = torch.eye(int(scene.words.max()) + 1)
        is_word[0] = 0
        tables = {
            "scales": 1 / torch.tensor(scales),
            "static": torch.from_numpy(scene.static),
            "words": is_word[torch.from_numpy(scene.words)].sum(dim=1),
            "is_word": is_word,
        }
        self.num_groups = 0
        if scene.openings is not None:
            self.num_groups = scene.openings.cells.shape[1]
            tables["open_cells"] = torch.from_numpy(scene.openings.cells)
            tables["open_words"] = torch.from_numpy(scene.openings.words)
            tables["missing"] = torch.from_numpy(scene.openings.missing)
        for name, table in tables.items():
            self.register_buffer(name, table, persistent=False)
        return len(is_word)

    def forward(
        self,
        seen: Tensor,
        numbers: Tensor,
        actions: Tensor,
        covers: Tensor,
        opened: Tensor,
        situation: Tensor,
        closed: Tensor,
        padding: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """Returns logits [M, K] and values [M] (see `GeometryInputs` for the shapes)."""
        context = self.context(numbers)
        places = self.place_seen(seen * self.scales)
        places += self.place_static(self.static)
        places = (places + self.place_context(context)[:, None]).relu_()
        ahead = self.choice_context(context)
        row, choice = (~padding).nonzero(as_tuple=True)
        parts = [
            (row, covers[row, choice], self.words.index_select(0, actions[row, choice].long()))
        ]
        groups = opened[row, choice].long()
        opens = (groups < self.num_groups).any(dim=1).nonzero()[:, 0]
        if len(opens):
            rows, at = row[opens].unique(return_inverse=True)  # type: ignore[no-untyped-call]
            found, is_open = self._look_at(places[rows], situation[rows], closed[rows])
            parts.append(self._listed(rows, situation[rows], found))
        hidden, worth = self._score(places, ahead, parts)
        hidden, later = hidden[: len(row)], hidden[len(row) :]
        worth, later_worth = worth[: len(row)], worth[len(row) :]
        if len(opens):
            later, best = self._open(later, later_worth, is_open, at, groups[opens])
            hidden = hidden.index_add(0, opens, self.choice_opened(later))
            worth = worth.index_add(0, opens, self.opened_weight[0] * best)
        listed = self.choice_out(torch.relu(hidden))[:, 0] + worth
        logits = listed.new_full(padding.shape, PADDING).index_put((row, choice), listed)
        value = self.value(torch.cat([context, places.mean(dim=1)], dim=1))
        return logits, value[:, 0]

    def _score(
        self, places: Tensor, ahead: Tensor, parts: list[tuple[Tensor, Tensor, Tensor]]
    ) -> tuple[Tensor, Tensor]:
        """Returns hidden units [L, E] of actions, and what each is worth at first sight, [L].

        Args:
            places: [M, H, E].
            ahead: of the positions, [M, E].
            parts: rows, places and words of actions, [l], [l, c] and [l, V] each; l adds up to L.
        """
        row = torch.cat([row for row, *_ in parts])
        covered = _sums(places, [(row, covers) for row, covers, _ in parts])
        words = torch.cat([words for *_, words in parts])
        worth = self.place_worth(covered) + self.word_worth(words)
        hidden = self.choice_places(covered) + self.word(words)
        return hidden + ahead.index_select(0, row), worth[:, 0]

    def _listed(
        self, rows: Tensor, situation: Tensor, found: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Returns the openings that were found, [R, G, k], as `_score` takes actions."""
        group = torch.arange(self.num_groups, device=found.device)[:, None]
        cells = self.open_cells[situation[:, None, None], group, found].flatten(0, 2)
        words = self.open_words[situation[:, None, None], group, found].flatten()
        nowhere = len(self.static) + 1
        each = rows.repeat_interleave(found[0].numel())
        return each, cells % nowhere, self.is_word[words]

    def _open(
        self, hidden: Tensor, worth: Tensor, is_open: Tensor, at: Tensor, groups: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Returns what Q choices open: hidden units [Q, E], and how much it is worth, [Q].

        Args:
            hidden: of the openings of R positions, [R * G * k, E].
            worth: of these at first sight.
            is_open: whether each is open, [R, G, k].
            at: the position of each choice, [Q].
            groups: that it opens, [Q, U].
        """
        hidden = torch.relu(hidden)
        worth = (worth + self.choice_out(hidden)[:, 0]).view(is_open.shape)
        sharp = (self.opened_weight[1] * worth).masked_fill(~is_open, PADDING)
        total = sharp.logsumexp(dim=2)  # [R, G]
        share = (sharp - total[..., None]).exp().masked_fill(~is_open, 0)
        hidden = (share[..., None] * hidden.view(*is_open.shape, -1)).sum(dim=2)
        worth = (share * worth).sum(dim=2)
        # Of the groups that a choice opens, and none of those that it does not.
        where = at[:, None] * (self.num_groups + 1) + groups
        total = nn.functional.pad(total, (0, 1), value=PADDING).flatten()
        share = total.index_select(0, where.flatten()).view(where.shape).softmax(dim=1)
        hidden = nn.functional.pad(hidden, (0, 0, 0, 1)).flatten(0, 1)
        hidden = hidden.index_select(0, where.flatten()).view(*where.shape, -1)
        worth = nn.functional.pad(worth, (0, 1)).flatten().index_select(0, where.flatten())
        return (share[..., None] * hidden).sum(dim=1), (share * worth.view(where.shape)).sum(dim=1)

    @torch.no_grad()
    def _look_at(self, places: Tensor, situation: Tensor, closed: Tensor) -> tuple[Tensor, Tensor]:
        """Returns the openings of R positions that are worth most at first sight, [R, G, k].

        Also returns whether each of them is open.
        """
        worth = nn.functional.pad(self.place_worth(places)[..., 0], (0, 1))
        sheets = worth[:, None].masked_fill(closed, CLOSED).flatten(1)
        most = min(LOOKED_AT, self.missing.shape[2])
        found = torch.empty(len(places), self.num_groups, most, dtype=torch.long)
        is_open = torch.empty(found.shape, dtype=torch.bool)
        for which in situation.unique():  # type: ignore[no-untyped-call]
            rows = (situation == which).nonzero()[:, 0]
            cells, words = self.open_cells[which], self.open_words[which]
            first = self.word_worth.weight[0][words] + CLOSED * self.missing[which]
            table = sheets[rows].T.contiguous()
            scores = nn.functional.embedding_bag(cells.flatten(0, 1), table, mode="sum")
            scores = scores.view(*words.shape, -1) + first[..., None]
            top, best = scores.topk(most, dim=1)
            found[rows], is_open[rows] = best.permute(2, 0, 1), top.permute(2, 0, 1) > CLOSED / 2
        return found, is_open


def _sums(places: Tensor, parts: list[tuple[Tensor, Tensor]]) -> Tensor:
    """Returns sums [L, E] of the places [M, H, E] that actions cover: rows [l], places [l, c]."""
    num_places, found, counts = places.shape[1], [], []
    for row, covers in parts:
        is_place = covers < num_places
        found.append((row[:, None] * num_places + covers)[is_place])
        counts.append(is_place.sum(dim=1))
    sizes = torch.cat(counts)
    starts = sizes.cumsum(0) - sizes
    return nn.functional.embedding_bag(torch.cat(found), places.flatten(0, 1), starts, mode="sum")


class GeometryCritic(nn.Module):
    """The value that advantages are measured against: it learns apart, from landmarks."""

    landmarks: Tensor
    scales: Tensor

    def __init__(self, sizes: GeometrySizes, width: int = 64) -> None:
        super().__init__()
        scales = 1 / torch.tensor(sizes.scales[: sizes.channels])
        self.register_buffer("scales", scales, persistent=False)
        landmarks = torch.from_numpy(sizes.scene.landmarks)
        self.register_buffer("landmarks", landmarks, persistent=False)
        seen = sizes.numbers + len(landmarks) * sizes.channels
        self.layers = nn.Sequential(
            nn.Linear(seen, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.value = nn.Linear(width, 1)

    def forward(self, batch: GeometryBatch) -> Tensor:
        """Returns values, [M]."""
        own = batch.seen[:, :, : len(self.scales)].index_select(1, self.landmarks)
        seen = torch.cat([(own * self.scales).flatten(1), batch.numbers], dim=1)
        values: Tensor = self.value(self.layers(seen))[:, 0]
        return values
