"""Stage 4: train the encoder to guess whole words that are masked.

Run with ``python -m training.train SHARDS --start start.packed --output FOLDER --minutes 9.5 --until 0.5`` and go on
with ``python -m training.train SHARDS --resume FOLDER --output FOLDER --minutes 9.5``. A run goes from one point of the
schedule (0, or where the run before it ended) to another (``--until``), either in so many minutes, starting and saving
included, or in so many steps; the rate of learning rises at first and then falls along one cosine over all runs.
``--start`` takes the weights of a training that has ended as well, for a new schedule. In a share ``--contrast`` of the
steps vectors of a word in one sense (``--pairs``, what ``training.pairs`` wrote) are drawn together, and so are those
of a word in one place of the text, with other words hidden and without (``--views``). In the others words are guessed;
``--dictionary FILE --mix 0.1`` takes the windows of every tenth of these from what ``training.dictionary`` wrote.
``--teacher WEIGHTS --soft 0.7`` has the model learn what a larger one, of the same pieces, says at the same places,
more than what stands there, and vectors like its own (``--near``); usages of a word are to be as similar to one
another as they are to it (``--alike``); and in a share ``--ask`` of these steps the model is asked for substitutes as
it will be when senses are made. What is trained has the shape of the weights that it starts from. With ``--bytes`` it
is computed in 8 bits from the first step on, as ``training.graph`` will have it: for the last run of a training.

The folder then has ``log.jsonl`` (a line every so many steps, and one for each validation), ``weights.packed`` (half
precision, under 60 MB, in parts if ``--part`` asks for them; enough to go on with) and ``full.pt`` (everything, to go
on exactly; a run that finds it takes it).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from training.asking import telling
from training.batches import Marks, Masked, Text, marks_of, masked
from training.contrast import Pairs, Views, contrasted, seldom_grammar
from training.encoder import Encoder, Shape, Weights, deepened
from training.material import Material, text_of
from training.optimiser import optimisers
from training.recipe import BEGUN, Clock, Point, Recipe, rate_at
from training.state import packed, read_parts, unpacked, write_parts
from training.teacher import Teacher, same_words, surprise, unlike

GRAPHS = 32
"""How many ways to compute a layer may be compiled."""

RENEWED = 100
"""Steps in which the rate rises again if a run goes on without the optimiser's state."""


class Trainer:
    """A model, its optimisers and how far they have come."""

    def __init__(self, recipe: Recipe, shape: Shape, vocabulary: list[str], device: torch.device) -> None:
        torch.manual_seed(recipe.seed)
        self.recipe, self.device, self.point = recipe, device, Point()
        self.marks: Marks = marks_of(vocabulary, device)
        self.vocabulary, self.worth = vocabulary, seldom_grammar(vocabulary, device)
        self.telling = self.worth
        self.model = Encoder(shape)
        self.teacher: Teacher | None = None
        self.renewed = RENEWED
        self.optimisers: list[torch.optim.Optimizer] = []

    def place(self, compiled: bool, in_bytes: bool = False) -> None:
        """Put the model on its device, with optimisers, compiled if that is wanted, in 8 bits if that is."""
        self.model.to(self.device)
        if in_bytes:
            self.model.in_bytes()
        self.optimisers = optimisers(self.model, self.recipe.optimiser, self.recipe.decay)
        if self.teacher:
            self.optimisers.append(self.teacher.optimiser())
        self._loss: Callable[..., Tensor] = _loss
        self._unlike: Callable[..., Tensor] = unlike
        if compiled:
            # Lengths, masks and the last layers, which round less, each make a graph of their own: more than there may
            # be by default, beyond which nothing would be compiled, and nobody told.
            torch._dynamo.config.recompile_limit = GRAPHS
            # Layer by layer: one of them is compiled and all use it, which takes seconds and not minutes.
            for layer in [*self.model.layers, *(self.teacher.model.layers if self.teacher else ())]:
                layer.compile(dynamic=False)
            self._loss = torch.compile(_loss, dynamic=False)
            self._unlike = torch.compile(unlike)

    def learn_from(self, weights: Weights, shape: Shape) -> None:
        """Take a teacher."""
        self.teacher = Teacher(weights, shape, self.model.shape.width, self.device)

    def precision(self) -> Any:
        """Products in bf16 where there is a GPU, as a context."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")

    def loss(self, batch: Masked | Views) -> Tensor:
        """How wrong the model is about a batch."""
        with self.precision():
            if isinstance(batch, Views):
                return contrasted(self.model(batch.pieces, batch.pieces > 0), batch)
            hidden = self.model(batch.pieces)
            told, theirs = self.teacher.says(batch) if self.teacher else (None, None)
            soft = 1.0 if batch.told else self.recipe.soft
            loss = self._loss(self.model, hidden, batch.places, batch.answers, told, soft)
            return loss if theirs is None else loss + self._vectors(batch, hidden, theirs)

    def _vectors(self, batch: Masked, hidden: Tensor, theirs: Tensor) -> Tensor:
        """How far the model's vectors are from a teacher's, as much as the recipe counts it."""
        assert self.teacher is not None
        loss = hidden.new_zeros((), dtype=torch.float32)
        if self.recipe.near:
            loss = loss + self.recipe.near * self.teacher.far(hidden, theirs)
        if self.recipe.alike:
            # Not the numbers that the masks of this step were drawn with.
            generator = torch.Generator(self.device).manual_seed(-1 - self.recipe.seed * 1_000_003 - self.point.step)
            places = same_words(batch.pieces, self.telling, generator)
            ours, others = (each.flatten(0, 1)[places] for each in (hidden, theirs))
            loss = loss + self.recipe.alike * self._unlike(ours, others, batch.pieces.flatten()[places])
        return loss

    def step(self, batch: Masked | Views) -> Tensor:
        """Change the weights once; the loss."""
        loss = self.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        rate = rate_at(self.point.progress, self.recipe) * min(1.0, (self.renewed + 1) / RENEWED)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        self.renewed += 1
        self.point.step += 1
        self.point.pieces += batch.pieces.numel()
        return loss.detach()

    def validate(self, text: Text, rows: int = 1024, share: float = 0.15) -> dict[str, float]:
        """Loss and accuracy on text that is held out, always with the same masks."""
        length = max(self.recipe.lengths)
        order = torch.arange((len(text.pieces) - 2 * length) // (length - 2), device=self.device) * (length - 2)
        generator = torch.Generator(self.device).manual_seed(13)
        counts = torch.zeros(5, device=self.device)
        for places in order.split(rows):
            batch = masked(text.windows(places, length), self.marks.continues, share, generator)
            # The last rows are fewer, and not worth compiling anything for.
            with torch.no_grad(), self.precision(), torch.compiler.set_stance("force_eager"):
                scores = self.model.scores(self.model(batch.pieces).flatten(0, 1)[batch.places])
            counts += _tally(scores.float(), batch)
        seen, loss, right, masks, right_there = counts.tolist()
        return {
            "validation_loss": loss / seen,
            "validation_accuracy": right / seen,
            "validation_accuracy_masks": right_there / masks,
        }


def _loss(model: Encoder, hidden: Tensor, places: Tensor, answers: Tensor, told: Tensor | None, soft: float) -> Tensor:
    scores = model.scores(hidden.flatten(0, 1)[places]).float()
    hard = functional.cross_entropy(scores, answers)
    return hard if told is None else (1 - soft) * hard + soft * surprise(scores, told, answers)


def _tally(scores: Tensor, batch: Masked) -> Tensor:
    """Places to guess, the sum of their losses, right guesses; and of those behind masks: how many, right guesses."""
    real = batch.answers >= 0
    loss = functional.cross_entropy(scores, batch.answers, reduction="sum")
    right = (scores.argmax(1) == batch.answers) & real
    there = batch.hidden & real
    return torch.stack([real.sum(), loss, right.sum(), there.sum(), (right & there).sum()])


def train(trainer: Trainer, material: Material, clock: Clock, log: Callable[[dict[str, Any]], None]) -> None:
    """Train from where the trainer is to where the clock says that this run ends."""
    point, begun, checked = trainer.point, time.monotonic(), trainer.point.progress
    spent, losses = point.seconds, _Losses()
    for done in count():
        point.progress = clock.progress(done)
        if point.progress >= clock.until:
            break
        batch = material.batch(point.step)
        losses.add(batch, trainer.step(batch))
        if losses.number == 50 or done < 2:
            means = losses.means()
            point.seconds = spent + time.monotonic() - begun
            log({**asdict(point), **means, "rate": rate_at(point.progress, trainer.recipe)})
        if point.progress >= checked + 0.05:
            checked = point.progress
            log({**asdict(point), **trainer.validate(material.texts["validation"])})
    point.seconds = spent + time.monotonic() - begun
    log({**asdict(point), **trainer.validate(material.texts["validation"])})


class _Losses:
    """The losses since they were last looked at: of words that were guessed, of what was asked, and of pairs."""

    def __init__(self) -> None:
        self._kept: dict[str, list[Tensor]] = {}

    @property
    def number(self) -> int:
        return sum(map(len, self._kept.values()))

    def add(self, batch: Masked | Views, loss: Tensor) -> None:
        kind = "contrast" if isinstance(batch, Views) else "asked" if batch.told else "loss"
        self._kept.setdefault(kind, []).append(loss)

    def means(self) -> dict[str, float]:
        """The mean of each kind; they are forgotten then."""
        found = {name: torch.stack(losses).mean().item() for name, losses in self._kept.items()}
        self._kept = {}
        return found


def shape_for(recipe: Recipe, pieces: int, about: dict[str, Any]) -> Shape:
    """That of the weights it starts from, with as many layers as are wanted; without weights, that of the recipe.

    >>> shape_for(Recipe(), 100, {})
    Shape(vocabulary=100, layers=12, width=384, inner=1536, heads=12, positions=128, epsilon=1e-12, buckets=0)
    """
    width, longest = recipe.width, max(recipe.lengths)
    given = about.get("shape") or asdict(Shape(pieces, 0, width, 4 * width, width // 32, longest))
    return Shape(**{**given, "layers": recipe.layers})


def begun(recipe: Recipe, vocabulary: list[str], device: torch.device, start: Path | None) -> Trainer:
    """A trainer with the weights that it starts from, if there are any."""
    weights, about = unpacked(read_parts(start)) if start else ({}, {})
    trainer = Trainer(recipe, shape_for(recipe, len(vocabulary), about), vocabulary, device)
    if start:
        trainer.model.load_state_dict(deepened(weights, recipe.layers))
    return trainer


def resume(trainer: Trainer, folder: Path) -> None:
    """Go on from what an earlier run has saved."""
    if (folder / "full.pt").exists():
        state = torch.load(folder / "full.pt", map_location=trainer.device)
        trainer.model.load_state_dict(state["model"])
        for optimiser, saved in zip(trainer.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)
        if trainer.teacher:
            trainer.teacher.bridge.load_state_dict(state["bridge"])
        trainer.point = Point(**state["point"])
        return
    weights, about = unpacked(read_parts(folder / "weights.packed"))
    trainer.model.load_state_dict(weights)
    trainer.point, trainer.renewed = Point(**about["point"]), 0


def save(trainer: Trainer, folder: Path, part: int) -> None:
    """Write everything, and what is enough to go on with."""
    model = trainer.model.state_dict()
    optimisers_ = [optimiser.state_dict() for optimiser in trainer.optimisers]
    state = {"model": model, "optimisers": optimisers_, "point": asdict(trainer.point)}
    if trainer.teacher:
        state["bridge"] = trainer.teacher.bridge.state_dict()
    torch.save(state, folder / "full.pt")
    about: dict[str, Any] = {name: asdict(getattr(trainer, name)) for name in ("point", "recipe")}
    about |= {"shape": asdict(trainer.model.shape), "bytes": trainer.model.rounded}
    write_parts(packed(model, about), folder / "weights.packed", part)


def options() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    parser.add_argument("--start", type=Path, help="weights to start from; without them, from random ones")
    parser.add_argument("--resume", type=Path, help="the folder of a run to go on with")
    parser.add_argument("--dictionary", type=Path, help="the file that training.dictionary wrote, for --mix")
    parser.add_argument("--pairs", type=Path, help="the file that training.pairs wrote, for --contrast")
    parser.add_argument("--teacher", type=Path, help="weights of a larger model of the same pieces, for --soft")
    parser.add_argument("--until", type=float, default=1.0, help="the point of the schedule to stop at")
    parser.add_argument("--minutes", type=float, default=9.5, help="how long this run may take in all")
    parser.add_argument("--steps", type=int, default=0, help="how many steps it takes, instead")
    parser.add_argument("--part", type=int, default=1 << 40, help="bytes in a part of the saved weights, at most")
    parser.add_argument("--bytes", action="store_true", help="compute in 8 bits, as the graph will")
    parser.add_argument("--plain", action="store_true", help="do not compile")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    for name, default in asdict(Recipe()).items():
        kind = (lambda text: tuple(map(int, text.split(",")))) if isinstance(default, tuple) else type(default)
        parser.add_argument(f"--{name}", type=kind, default=default, help="default: %(default)s")
    asked = parser.parse_args()
    if asked.mix and not asked.dictionary:
        parser.error("--mix needs --dictionary")
    if asked.contrast and not asked.pairs:
        parser.error("--contrast needs --pairs")
    if bool(asked.soft) != bool(asked.teacher):
        parser.error("--soft and --teacher need one another")
    if (asked.alike or asked.ask) and not asked.teacher:
        parser.error("--alike and --ask need --teacher")
    if not 0 <= asked.views < 1:
        parser.error("--views is a share below 1: some of the pairs are from the dictionary")
    return asked


def main() -> None:
    """Train and save."""
    asked = options()
    recipe = Recipe(**{name: getattr(asked, name) for name in asdict(Recipe())})
    vocabulary = (asked.shards / "vocab.txt").read_text("utf-8").splitlines()
    start = asked.start or (asked.resume and asked.resume / "weights.packed")
    trainer = begun(recipe, vocabulary, torch.device(asked.device), start)
    if asked.teacher:
        weights, about = unpacked(read_parts(asked.teacher))
        trainer.learn_from(weights, Shape(**about["shape"]))
    trainer.place(compiled=not asked.plain, in_bytes=asked.bytes)
    if asked.resume:
        resume(trainer, asked.resume)
    asked.output.mkdir(parents=True, exist_ok=True)
    files = {name: asked.shards / f"{name}.bin" for name in ("train", "validation")}
    if asked.dictionary:
        files["dictionary"] = asked.dictionary
    texts = {name: text_of(file, trainer) for name, file in files.items()}
    trainer.telling = telling(texts["train"].pieces, trainer.worth)
    pairs = Pairs.read(asked.pairs, trainer.device) if asked.pairs else None
    with (asked.output / "log.jsonl").open("a") as file:

        def log(line: dict[str, Any]) -> None:
            text = json.dumps({name: round(value, 6) for name, value in line.items()})
            file.write(f"{text}\n")
            file.flush()
            print(text, flush=True)

        numbers = sum(param.numel() for param in trainer.model.parameters())
        log(
            {
                "parameters": numbers,
                "train_pieces": len(texts["train"].pieces),
                "bytes": trainer.model.rounded,
                "began_after": time.monotonic() - BEGUN,
            }
        )
        clock = Clock(trainer.point.progress, asked.until, asked.minutes, asked.steps)
        train(trainer, Material(trainer, texts, pairs), clock, log)
    save(trainer, asked.output, asked.part)


if __name__ == "__main__":
    main()
