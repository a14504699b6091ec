"""Fits a recurrent network that reads the words around a candidate, and weights of its features: see README.md.

    python3 fit.py FOLDER

FOLDER holds examples.ndjson, corpus.txt (a text a line) and vectors.json (words and vectors, the commonest first), as
fit.ts writes them. The language model that the fit begins with is kept in FOLDER. Writes fit.json there.
"""
import base64
import json
import os
import sys
from collections import Counter

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

FOLDER = sys.argv[1]
SIZE = 64  # numbers of a word, and of each direction's state
LEARNED = 24  # numbers of a word that are learned, beside its vector
BREAKS, ZONES = 4, 3
COMMON = 20_000  # words that are known although the corpus may not have them
LEAST = 5  # words and features of fewer texts than this say nothing
torch.set_num_threads(1)


def path(name):
    return os.path.join(FOLDER, name)


def read_words():
    """All words that are known; the first two places are for none and for any other."""
    with open(path("vectors.json")) as file:
        vectors = json.load(file)
    counts = Counter()
    with open(path("corpus.txt")) as file:
        for line in file:
            counts.update(word[1:] for word in line.split())
    common = list(vectors)[:COMMON]
    words = list(dict.fromkeys(common + sorted(word for word, count in counts.items() if count >= LEAST)))
    table = np.zeros((len(words) + 2, 100), np.float32)
    for place, word in enumerate(words):
        if word in vectors:
            table[place + 2] = vectors[word][:100]
    table /= np.linalg.norm(table, axis=1).mean()
    return {word: place + 2 for place, word in enumerate(words)}, torch.tensor(table)


places, glove = read_words()


class Reader(nn.Module):
    """The words of a text, each as numbers, and what both directions of a GRU (Cho et al. 2014) make of them."""

    def __init__(self):
        super().__init__()
        self.learned = nn.Embedding(len(glove), LEARNED)
        nn.init.normal_(self.learned.weight, std=0.05)
        self.input = nn.Linear(100 + LEARNED + BREAKS + ZONES, SIZE)
        self.gru = nn.GRU(SIZE, SIZE, batch_first=True, bidirectional=True)

    def inputs(self, words, breaks, zones, withheld):
        learned = F.dropout(self.learned(words), withheld, self.training)
        marks = [F.one_hot(breaks, BREAKS).float(), F.one_hot(zones, ZONES + 1).float()[:, :, 1:]]
        return torch.relu(self.input(torch.cat([glove[words], learned, *marks], 2)))


def pretrained():
    """A reader that has learned to guess each next word, and each one before, of the corpus."""
    kept = path("language-model.pt")
    torch.manual_seed(0)
    random = np.random.default_rng(0)
    reader = Reader()
    if os.path.exists(kept):
        reader.load_state_dict(torch.load(kept))
        return reader
    words, breaks = [], []
    with open(path("corpus.txt")) as file:
        for line in file:
            for word in line.split():
                words.append(places.get(word[1:], 1))
                breaks.append(int(word[0]))
    words, breaks = np.array(words), np.array(breaks)
    length, batch, guesses = 80, 64, 512
    counts = np.bincount(words, minlength=len(glove)).astype(float) ** 0.75
    counts[:2] = 0
    chances = counts / counts.sum()
    sums, logs = np.cumsum(chances), torch.tensor(np.log(chances * guesses + 1e-12)).float()
    back = nn.Linear(SIZE, 100 + LEARNED)
    outputs, offsets = nn.Embedding(len(glove), LEARNED), nn.Embedding(len(glove), 1)
    nn.init.zeros_(outputs.weight)
    nn.init.zeros_(offsets.weight)
    trained = [weight for part in (reader, back, outputs, offsets) for weight in part.parameters()]
    optimizer = torch.optim.AdamW(trained, lr=2e-3, weight_decay=1e-3)

    def loss_of(states, said, others):
        """The softmax among the word that was said and others by chance (sampled softmax, Jean et al. 2015)."""
        states = back(states[said > 1])
        said = said[said > 1]
        of_others = states @ torch.cat([glove[others], outputs(others)], 1).t() + offsets(others).t() - logs[others]
        of_said = (states * torch.cat([glove[said], outputs(said)], 1)).sum(1) + offsets(said).squeeze(1) - logs[said]
        of_others = of_others.masked_fill(others.unsqueeze(0) == said.unsqueeze(1), -1e4)
        return (torch.logsumexp(torch.cat([of_said.unsqueeze(1), of_others], 1), 1) - of_said).mean()

    chunks = random.permutation(len(words) // length)
    steps = len(chunks) // batch
    for step in range(steps):
        at = chunks[step * batch : (step + 1) * batch, None] * length + np.arange(length)
        said, ended = torch.tensor(words[at]), torch.tensor(breaks[at])
        others = torch.tensor(np.searchsorted(sums, random.random(guesses)).clip(2, len(glove) - 1))
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * min(1, (step + 1) / 200) * max(0.03, 1 - step / steps)
        inputs = F.dropout(reader.inputs(said, ended, torch.zeros_like(said), 0), 0.1)
        states, _ = reader.gru(inputs)
        loss = loss_of(states[:, :-1, :SIZE], said[:, 1:], others) + loss_of(states[:, 1:, SIZE:], said[:, :-1], others)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        if step % 200 == 0:
            print(f"language model: {step} of {steps}, loss {loss.item():.3f}", flush=True)
    torch.save(reader.state_dict(), kept)
    return reader


class Judge(nn.Module):
    """What the reader makes of the words before a candidate, of its own and of those after, and of its features."""

    def __init__(self, reader, features):
        super().__init__()
        self.reader = reader
        self.hidden = nn.Linear(4 * 2 * SIZE, SIZE)
        self.output = nn.Linear(SIZE, 1)
        self.features = nn.EmbeddingBag(features, 1, mode="sum")
        nn.init.zeros_(self.features.weight)

    def forward(self, words, breaks, zones, lengths, features, begins):
        if self.training:
            words = torch.where((torch.rand(words.shape) < 0.1) & (words > 0), torch.ones_like(words), words)
        inputs = F.dropout(self.reader.inputs(words, breaks, zones, 0.3), 0.2, self.training)
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.reader.gru(packed)[0], batch_first=True, total_length=words.shape[1])
        inside = [(zones == zone + 1).unsqueeze(2) for zone in range(ZONES)]
        # A state is between -1 and 1, so where a zone has no word, it is as if all said no.
        most = [states.masked_fill(~zone, -1).max(1)[0] for zone in inside]
        mean = (states * inside[1]).sum(1) / inside[1].sum(1).clamp(min=1)
        read = F.dropout(torch.cat([*most, mean], 1), 0.4, self.training)
        read = F.dropout(torch.relu(self.hidden(read)), 0.3, self.training)
        return self.output(read).squeeze(1) + self.features(features, begins).squeeze(1)


def tensors(examples):
    """The words of examples in order, each with its place, what ends after it, and its zone from 1 on."""
    rows = []
    for example in examples:
        said = [(word, zone + 1) for zone, part in enumerate(example["nearby"]) for word in part]
        rows.append([(places.get(word[1:], 1), int(word[0]), zone) for word, zone in said])
    longest = max(len(row) for row in rows)
    padded = np.zeros((len(rows), longest, 3), np.int64)
    for at, row in enumerate(rows):
        padded[at, : len(row)] = row
    lengths = torch.tensor([len(row) for row in rows])
    return (*(torch.tensor(padded[:, :, part]) for part in range(3)), lengths)


def bags(rows):
    return torch.tensor(np.concatenate(rows)), torch.tensor(np.cumsum([0] + [len(row) for row in rows[:-1]]))


def main():
    with open(path("examples.ndjson")) as file:
        examples = [json.loads(line) for line in file]
    reader = pretrained()
    torch.manual_seed(1)
    counts = Counter(name for example in examples for name in example["features"])
    # The first feature is the bias, which every example has.
    names = ["", *sorted(name for name, count in counts.items() if count >= LEAST)]
    known = {name: at for at, name in enumerate(names)}
    rows = [np.array([0] + [known[name] for name in one["features"] if name in known]) for one in examples]
    answers = torch.tensor([float(one["isPrivate"]) for one in examples])
    weights = torch.tensor([float(one["weight"]) for one in examples])
    judge = Judge(reader, len(names))
    of_features = list(judge.features.parameters())
    others = [weight for name, weight in judge.named_parameters() if not name.startswith("features")]
    optimizer = torch.optim.AdamW(
        [{"params": of_features, "lr": 5e-3, "weight_decay": 0}, {"params": others, "lr": 1e-3, "weight_decay": 1e-2}]
    )
    epochs, batch, shrink = 3, 128, 3
    steps = epochs * -(-len(examples) // batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / 200) * (1 - 0.95 * step / steps)
    )
    said = tensors(examples)
    for epoch in range(epochs):
        total = 0
        for some in torch.randperm(len(examples)).split(batch):
            sums = judge(*(part[some] for part in said), *bags([rows[at] for at in some.tolist()]))
            losses = F.binary_cross_entropy_with_logits(sums, answers[some], reduction="none")
            ridge = shrink / len(examples) / 2 * judge.features.weight[1:].pow(2).sum()
            optimizer.zero_grad()
            ((losses * weights[some]).mean() + ridge).backward()
            nn.utils.clip_grad_norm_(others, 5.0)
            optimizer.step()
            schedule.step()
            total += losses.mean().item()
        print(f"epoch {epoch}: mean loss {total / (steps / epochs):.4f}", flush=True)
    judge.eval()
    write(judge, names)


def write(judge, names):
    def floats(weight):
        return base64.b64encode(weight.detach().numpy().astype("<f4").tobytes()).decode()

    reader = judge.reader
    of_word = reader.input.weight[:, : 100 + LEARNED]
    table = (torch.cat([glove, reader.learned.weight], 1) @ of_word.t()).detach().numpy()
    table[0] = 0
    with open(path("fit.json"), "w") as file:
        json.dump(
            {
                "words": list(places),
                "table": base64.b64encode(table[1:].astype("<f4").tobytes()).decode(),
                "marks": floats(reader.input.weight[:, 100 + LEARNED :].t()),
                "offset": floats(reader.input.bias),
                "gru": {name: floats(weight) for name, weight in reader.gru.named_parameters()},
                "hidden": [floats(judge.hidden.weight), floats(judge.hidden.bias)],
                "output": [floats(judge.output.weight), floats(judge.output.bias)],
                "features": dict(zip(names, judge.features.weight.squeeze(1).tolist())),
            },
            file,
        )


main()
