"""Stages 4 and 6: train an encoder to predict masked words, alone or with a larger encoder as its teacher.

Run with ``python -m training.train SHARDS --start start.packed --output FOLDER --minutes 9.5 --until 0.5`` and go on
with ``python -m training.train SHARDS --resume FOLDER --output FOLDER --minutes 9.5``. A run goes from one point of the
schedule (0, or where the run before it ended) to another (``--until``), either in so many minutes, starting and saving
included, or in so many steps. The learning rate rises at first and then falls along one cosine over all runs.
``--start`` also takes the weights of a finished training, for a new schedule; the trained model has their shape.

- ``--pairs FILE --contrast 0.1``: a share of the steps draws the vectors of two usages of a word in one sense together;
  of these pairs, a share ``--views`` is a window seen twice, the second time with other words masked.
- ``--dictionary FILE --mix 0.1``: a share of the other steps takes its windows from the dictionary.
- ``--teacher WEIGHTS --soft 0.7``: the model learns the teacher's distributions at masked positions, with this weight,
  and vectors near to the teacher's (``--near``). Usages of a word become as similar to one another as they are by the
  teacher's vectors (``--alike``). In a share ``--ask`` of the steps the teacher predicts substitutes, in the pattern
  with which senses are induced.
- ``--bytes``: the products are computed in 8 bits, as in the graph, for the last run of a training.

The folder then has ``log.jsonl`` (a line every so many steps, and one for each validation), ``weights.packed`` (half
precision, or fewer ``--bits``, in parts if ``--part`` asks for them; enough to go on with) and ``full.pt`` (everything,
to go on exactly; a run that finds it takes it).
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
from training.batch_sources import BatchSources, load_stream
from training.batches import MaskedBatch, SpecialPieces, TokenStream, find_special_pieces, mask_words
from training.contrast import SensePairs, ViewPair, contrastive_loss, find_content_pieces
from training.encoder import Encoder, Shape, Weights, add_head
from training.optimiser import build_optimisers
from training.pattern_distillation import select_target_pieces
from training.recipe import START, Clock, Recipe, TrainingProgress, learning_rate
from training.teacher import Teacher, distillation_loss, pair_same_words, similarity_loss
from training.weight_files import SIGNIFICANT_BITS, pack_weights, read_parts, unpack_weights, write_parts

COMPILED_GRAPHS = 32
"""The most compiled variants of a layer."""

WARM_RESTART = 100
"""Steps in which the rate rises again if a run resumes without the optimiser's state."""


class Trainer:
    """A model, its optimisers and its progress."""

    def __init__(self, recipe: Recipe, shape: Shape, vocabulary: list[str], device: torch.device) -> None:
        torch.manual_seed(recipe.seed)
        self.recipe, self.device, self.point = recipe, device, TrainingProgress()
        self.marks: SpecialPieces = find_special_pieces(vocabulary, device)
        self.vocabulary, self.content = vocabulary, find_content_pieces(vocabulary, device)
        self.targets = self.content
        self.model = Encoder(shape)
        self.teacher: Teacher | None = None
        self.renewed = WARM_RESTART
        self.optimisers: list[torch.optim.Optimizer] = []

    def place(self, compiled: bool, in_bytes: bool = False) -> None:
        """Move the model to its device and create its optimisers; optionally compile it, or compute in 8 bits."""
        self.model.to(self.device)
        if in_bytes:
            self.model.use_bytes()
        self.optimisers = build_optimisers(self.model, self.recipe.optimiser, self.recipe.decay)
        if self.teacher:
            self.optimisers.append(self.teacher.optimiser())
        self._loss: Callable[..., Tensor] = _loss
        self._similarity_loss: Callable[..., Tensor] = similarity_loss
        if compiled:
            # Lengths, masks and the last layers, which round less, need a graph each: more than the default limit,
            # beyond which PyTorch stops compiling without a message.
            torch._dynamo.config.recompile_limit = COMPILED_GRAPHS
            # Layer by layer: all layers share one compiled graph, which takes seconds instead of minutes.
            for layer in [*self.model.layers, *(self.teacher.model.layers if self.teacher else ())]:
                layer.compile(dynamic=False)
            self._loss = torch.compile(_loss, dynamic=False)
            self._similarity_loss = torch.compile(similarity_loss)

    def learn_from(self, weights: Weights, shape: Shape) -> None:
        """Set the teacher."""
        self.teacher = Teacher(weights, shape, self.model.shape.width, self.device)

    def precision(self) -> Any:
        """A context in which products are in bf16 on a GPU."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda")

    def loss(self, batch: MaskedBatch | ViewPair) -> Tensor:
        """The loss of a batch."""
        with self.precision():
            if isinstance(batch, ViewPair):
                return contrastive_loss(self.model(batch.pieces, batch.pieces > 0), batch)
            hidden = self.model(batch.pieces)
            teacher_scores, theirs = self.teacher.predict(batch) if self.teacher else (None, None)
            soft = 1.0 if batch.is_soft else self.recipe.soft
            loss = self._loss(self.model, hidden, batch.places, batch.answers, teacher_scores, soft)
            return loss if theirs is None else loss + self._vectors(batch, hidden, theirs)

    def _vectors(self, batch: MaskedBatch, hidden: Tensor, theirs: Tensor) -> Tensor:
        """The distance of the model's vectors from the teacher's, weighted by the recipe."""
        assert self.teacher is not None
        loss = hidden.new_zeros((), dtype=torch.float32)
        if self.recipe.near:
            loss = loss + self.recipe.near * self.teacher.distance(hidden, theirs)
        if self.recipe.alike:
            # Another seed than that of the masks of this step.
            generator = torch.Generator(self.device).manual_seed(-1 - self.recipe.seed * 1_000_003 - self.point.step)
            places = pair_same_words(batch.pieces, self.targets, generator)
            ours, others = (vectors.flatten(0, 1)[places] for vectors in (hidden, theirs))
            loss = loss + self.recipe.alike * self._similarity_loss(ours, others, batch.pieces.flatten()[places])
        return loss

    def step(self, batch: MaskedBatch | ViewPair) -> Tensor:
        """Update the weights once; returns the loss."""
        loss = self.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        rate = learning_rate(self.point.progress, self.recipe) * min(1.0, (self.renewed + 1) / WARM_RESTART)
        for optimiser in self.optimisers:
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
        self.renewed += 1
        self.point.step += 1
        self.point.pieces += batch.pieces.numel()
        return loss.detach()

    def validate(self, text: TokenStream, rows: int = 1024, share: float = 0.15) -> dict[str, float]:
        """Loss and accuracy on held-out text, always with the same masks."""
        length = max(self.recipe.lengths)
        order = torch.arange((len(text.pieces) - 2 * length) // (length - 2), device=self.device) * (length - 2)
        generator = torch.Generator(self.device).manual_seed(13)
        counts = torch.zeros(5, device=self.device)
        for places in order.split(rows):
            batch = mask_words(text.windows(places, length), self.marks.continues, share, generator)
            # The last batch is smaller, and not worth compiling for.
            with torch.no_grad(), self.precision(), torch.compiler.set_stance("force_eager"):
                scores = self.model.scores(self.model(batch.pieces).flatten(0, 1)[batch.places])
            counts += _tally(scores.float(), batch)
        positions, loss, right, masks, right_masks = counts.tolist()
        return {
            "validation_loss": loss / positions,
            "validation_accuracy": right / positions,
            "validation_accuracy_masks": right_masks / masks,
        }


def _loss(
    model: Encoder, hidden: Tensor, places: Tensor, answers: Tensor, teacher: Tensor | None, soft: float
) -> Tensor:
    scores = model.scores(hidden.flatten(0, 1)[places]).float()
    hard = functional.cross_entropy(scores, answers)
    return hard if teacher is None else (1 - soft) * hard + soft * distillation_loss(scores, teacher, answers)


def _tally(scores: Tensor, batch: MaskedBatch) -> Tensor:
    """Count positions, sum their losses, count correct ones; then positions behind masks, and correct ones of these."""
    real = batch.answers >= 0
    loss = functional.cross_entropy(scores, batch.answers, reduction="sum")
    right = (scores.argmax(1) == batch.answers) & real
    masked = batch.hidden & real
    return torch.stack([real.sum(), loss, right.sum(), masked.sum(), (right & masked).sum()])


def train(trainer: Trainer, sources: BatchSources, clock: Clock, log: Callable[[dict[str, Any]], None]) -> None:
    """Train from the trainer's progress to the end of this run."""
    point, start, checked = trainer.point, time.monotonic(), trainer.point.progress
    spent, losses = point.seconds, _Losses()
    for done in count():
        point.progress = clock.progress(done)
        if point.progress >= clock.until:
            break
        batch = sources.batch(point.step)
        losses.add(batch, trainer.step(batch))
        if losses.number == 50 or done < 2:
            means = losses.means()
            point.seconds = spent + time.monotonic() - start
            log({**asdict(point), **means, "rate": learning_rate(point.progress, trainer.recipe)})
        if point.progress >= checked + 0.05:
            checked = point.progress
            log({**asdict(point), **trainer.validate(sources.texts["validation"])})
    point.seconds = spent + time.monotonic() - start
    log({**asdict(point), **trainer.validate(sources.texts["validation"])})


class _Losses:
    """The losses since the last report: of masked words, of substitutes, and of pairs."""

    def __init__(self) -> None:
        self._losses: dict[str, list[Tensor]] = {}

    @property
    def number(self) -> int:
        return sum(map(len, self._losses.values()))

    def add(self, batch: MaskedBatch | ViewPair, loss: Tensor) -> None:
        kind = "contrast" if isinstance(batch, ViewPair) else "asked" if batch.is_soft else "loss"
        self._losses.setdefault(kind, []).append(loss)

    def means(self) -> dict[str, float]:
        """The mean of every kind; resets them."""
        means = {name: torch.stack(losses).mean().item() for name, losses in self._losses.items()}
        self._losses = {}
        return means


def choose_shape(recipe: Recipe, pieces: int, about: dict[str, Any]) -> Shape:
    """The shape of the initial weights; without weights, the recipe's shape.

    >>> choose_shape(Recipe(), 100, {}) == Shape(100, layers=12, width=384, inner=1536, heads=12, positions=128)
    True
    """
    width, longest = recipe.width, max(recipe.lengths)
    return Shape(**about.get("shape") or asdict(Shape(pieces, recipe.layers, width, 4 * width, width // 32, longest)))


def create_trainer(recipe: Recipe, vocabulary: list[str], device: torch.device, start: Path | None) -> Trainer:
    """Create a trainer, with initial weights if there are any."""
    weights, about = unpack_weights(read_parts(start)) if start else ({}, {})
    trainer = Trainer(recipe, choose_shape(recipe, len(vocabulary), about), vocabulary, device)
    if start:
        trainer.model.load_state_dict(add_head(weights))
    return trainer


def resume(trainer: Trainer, folder: Path) -> None:
    """Resume from the files of an earlier run."""
    if (folder / "full.pt").exists():
        state = torch.load(folder / "full.pt", map_location=trainer.device)
        trainer.model.load_state_dict(state["model"])
        for optimiser, saved in zip(trainer.optimisers, state["optimisers"], strict=True):
            optimiser.load_state_dict(saved)
        if trainer.teacher:
            trainer.teacher.bridge.load_state_dict(state["bridge"])
        trainer.point = TrainingProgress(**state["point"])
        return
    weights, about = unpack_weights(read_parts(folder / "weights.packed"))
    trainer.model.load_state_dict(weights)
    trainer.point, trainer.renewed = TrainingProgress(**about["point"]), 0


def save(trainer: Trainer, folder: Path, part: int, bits: int) -> None:
    """Save the full state, and packed weights that suffice to resume."""
    model = trainer.model.state_dict()
    optimiser_states = [optimiser.state_dict() for optimiser in trainer.optimisers]
    state = {"model": model, "optimisers": optimiser_states, "point": asdict(trainer.point)}
    if trainer.teacher:
        state["bridge"] = trainer.teacher.bridge.state_dict()
    torch.save(state, folder / "full.pt")
    about: dict[str, Any] = {name: asdict(getattr(trainer, name)) for name in ("point", "recipe")}
    about |= {"shape": asdict(trainer.model.shape), "bytes": trainer.model.rounded}
    write_parts(pack_weights(model, about, bits), folder / "weights.packed", part)


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shards", type=Path, help="the folder that training.shards wrote")
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    parser.add_argument("--start", type=Path, help="weights to start from; without them, from random ones")
    parser.add_argument("--resume", type=Path, help="the folder of a run to resume")
    parser.add_argument("--dictionary", type=Path, help="the file that training.dictionary wrote, for --mix")
    parser.add_argument("--pairs", type=Path, help="the file that training.pairs wrote, for --contrast")
    parser.add_argument("--teacher", type=Path, help="weights of a larger model of the same pieces, for --soft")
    parser.add_argument("--until", type=float, default=1.0, help="the point of the schedule to stop at")
    parser.add_argument("--minutes", type=float, default=9.5, help="how long this run may take in all")
    parser.add_argument("--steps", type=int, default=0, help="how many steps it takes, instead")
    parser.add_argument("--bits", type=int, default=SIGNIFICANT_BITS, help="significant bits of the saved matrices")
    parser.add_argument("--part", type=int, default=1 << 40, help="bytes in a part of the saved weights, at most")
    parser.add_argument("--bytes", action="store_true", help="compute in 8 bits, as the graph will")
    parser.add_argument("--plain", action="store_true", help="do not compile")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    for name, default in asdict(Recipe()).items():
        kind = (lambda text: tuple(map(int, text.split(",")))) if isinstance(default, tuple) else type(default)
        parser.add_argument(f"--{name}", type=kind, default=default, help="default: %(default)s")
    options = parser.parse_args()
    if options.mix and not options.dictionary:
        parser.error("--mix needs --dictionary")
    if options.contrast and not options.pairs:
        parser.error("--contrast needs --pairs")
    if bool(options.soft) != bool(options.teacher):
        parser.error("--soft and --teacher need one another")
    if (options.alike or options.ask) and not options.teacher:
        parser.error("--alike and --ask need --teacher")
    if not 0 <= options.views < 1:
        parser.error("--views is a share below 1: some of the pairs are from the dictionary")
    return options


def main() -> None:
    """Train and save."""
    options = parse_options()
    recipe = Recipe(**{name: getattr(options, name) for name in asdict(Recipe())})
    vocabulary = (options.shards / "vocab.txt").read_text("utf-8").splitlines()
    start = options.start or (options.resume and options.resume / "weights.packed")
    trainer = create_trainer(recipe, vocabulary, torch.device(options.device), start)
    if options.teacher:
        weights, about = unpack_weights(read_parts(options.teacher))
        trainer.learn_from(weights, Shape(**about["shape"]))
    trainer.place(compiled=not options.plain, in_bytes=options.bytes)
    if options.resume:
        resume(trainer, options.resume)
    options.output.mkdir(parents=True, exist_ok=True)
    files = {name: options.shards / f"{name}.bin" for name in ("train", "validation")}
    if options.dictionary:
        files["dictionary"] = options.dictionary
    within = max(recipe.lengths) // 3
    texts = {name: load_stream(file, trainer.marks, within) for name, file in files.items()}
    trainer.targets = select_target_pieces(texts["train"].pieces, trainer.content)
    pairs = SensePairs.read(options.pairs, trainer.device) if options.pairs else None
    with (options.output / "log.jsonl").open("a") as file:

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
                "began_after": time.monotonic() - START,
            }
        )
        clock = Clock(trainer.point.progress, options.until, options.minutes, options.steps)
        train(trainer, BatchSources(trainer, texts, pairs), clock, log)
    save(trainer, options.output, options.part, options.bits)


if __name__ == "__main__":
    main()
