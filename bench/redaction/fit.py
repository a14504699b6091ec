"""Fits what judges candidates, and what tells which words of a text are private: see README.md.

    python3 fit.py FOLDER

FOLDER holds examples.ndjson, texts.ndjson, corpus.txt (a text a line) and vectors.json (words and vectors, the commonest
first), as fit.ts writes them. The language model that the fit begins with is kept in FOLDER. Writes fit.json there.
"""
import base64
import copy
import json
from collections import Counter

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from reader import LEARNED, SIZE, glove, path, places, pretrained

ZONES, OWN = 3, 1  # the words before a candidate, its own, and those after it
LEAST = 5  # features of fewer examples say nothing


class Judge(nn.Module):
    """What the reader makes of the words before a candidate, of its own and of those after, and of its features."""

    def __init__(self, reader, features):
        super().__init__()
        self.reader = reader
        self.hidden = nn.Linear((ZONES + 1) * 2 * SIZE, SIZE)
        self.output = nn.Linear(SIZE, 1)
        self.features = nn.EmbeddingBag(features, 1, mode="sum")
        nn.init.zeros_(self.features.weight)

    def forward(self, words, breaks, zones, lengths, features, begins):
        states = self.reader.states(words, breaks, lengths)
        inside = [(zones == zone + 1).unsqueeze(2) for zone in range(ZONES)]
        # A state is between -1 and 1, so where a zone has no word, it is as if all said no.
        most = [states.masked_fill(~zone, -1).max(1)[0] for zone in inside]
        mean = (states * inside[OWN]).sum(1) / inside[OWN].sum(1).clamp(min=1)
        read = F.dropout(torch.cat([*most, mean], 1), 0.4, self.training)
        read = F.dropout(torch.relu(self.hidden(read)), 0.3, self.training)
        return self.output(read).squeeze(1) + self.features(features, begins).squeeze(1)


class Tagger(nn.Module):
    """What the reader makes of each word of a text."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader
        self.hidden = nn.Linear(2 * SIZE, SIZE)
        self.output = nn.Linear(SIZE, 1)

    def forward(self, words, breaks, lengths):
        states = F.dropout(self.reader.states(words, breaks, lengths), 0.3, self.training)
        read = F.dropout(torch.relu(self.hidden(states)), 0.2, self.training)
        return self.output(read).squeeze(2)


def placed(word):
    """A word's place, and what ends after it."""
    return places.get(word[1:], 1), int(word[0])


def tensors(examples):
    """The words of examples in order, each with its place, what ends after it, and its zone from 1 on."""
    rows = []
    for example in examples:
        said = [(word, zone + 1) for zone, part in enumerate(example["nearby"]) for word in part]
        rows.append([(*placed(word), zone) for word, zone in said])
    return padded(rows)


def text_tensors(texts):
    """The words of texts in order, each with its place, what ends after it, and 2 if it is private, else 1."""
    rows = []
    for text in texts:
        said = zip(text["words"], text["tags"])
        rows.append([(*placed(word), tag + 1) for word, tag in said])
    return padded(rows)


def padded(rows):
    longest = max(len(row) for row in rows)
    numbers = np.zeros((len(rows), longest, 3), np.int64)
    for at, row in enumerate(rows):
        numbers[at, : len(row)] = row
    lengths = torch.tensor([len(row) for row in rows])
    return (*(torch.tensor(numbers[:, :, part]) for part in range(3)), lengths)


def bags(rows):
    return torch.tensor(np.concatenate(rows)), torch.tensor(np.cumsum([0] + [len(row) for row in rows[:-1]]))


def scheduled(optimizer, steps):
    """Warms up over 200 steps, and cools down over all."""
    return torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / 200) * (1 - 0.95 * step / steps)
    )


def fitted_judge(reader, examples):
    torch.manual_seed(1)
    counts = Counter(name for example in examples for name in example["features"])
    # The first feature is the bias, which every example has.
    names = ["", *sorted(name for name, count in counts.items() if count >= LEAST)]
    known = {name: at for at, name in enumerate(names)}
    rows = [np.array([0] + [known[name] for name in one["features"] if name in known]) for one in examples]
    answers = torch.tensor([float(one["isPrivate"]) for one in examples])
    weights = torch.tensor([float(one["weight"]) for one in examples])
    judge = Judge(copy.deepcopy(reader), len(names))
    of_features = list(judge.features.parameters())
    others = [weight for name, weight in judge.named_parameters() if not name.startswith("features")]
    optimizer = torch.optim.AdamW(
        [{"params": of_features, "lr": 5e-3, "weight_decay": 0}, {"params": others, "lr": 1e-3, "weight_decay": 1e-2}]
    )
    epochs, batch, shrink = 3, 128, 3
    steps = -(-len(examples) // batch)
    schedule = scheduled(optimizer, epochs * steps)
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
        print(f"judge, epoch {epoch}: mean loss {total / steps:.4f}", flush=True)
    return judge.eval(), names


def text_batches(texts, batch):
    """All texts by chance, in parts that each have texts of about one length."""
    by_length = sorted(torch.randperm(len(texts)).tolist(), key=lambda at: len(texts[at]["words"]) // 8)
    parts = np.array_split(by_length, -(-len(texts) // batch))
    return [parts[at].tolist() for at in torch.randperm(len(parts))]


def fitted_tagger(reader, texts):
    torch.manual_seed(1)
    tagger = Tagger(copy.deepcopy(reader))
    optimizer = torch.optim.AdamW(tagger.parameters(), lr=1e-3, weight_decay=1e-2)
    epochs, batch = 4, 32
    schedule = scheduled(optimizer, epochs * -(-len(texts) // batch))
    for epoch in range(epochs):
        total, batches = 0, text_batches(texts, batch)
        for some in batches:
            words, breaks, tags, lengths = text_tensors([texts[at] for at in some])
            weights = (tags > 0) * torch.tensor([[float(texts[at]["weight"])] for at in some])
            sums = tagger(words, breaks, lengths)
            losses = F.binary_cross_entropy_with_logits(sums, (tags == 2).float(), reduction="none")
            loss = (losses * weights).sum() / (tags > 0).sum()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(tagger.parameters(), 5.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"tagger, epoch {epoch}: mean loss {total / len(batches):.4f}", flush=True)
    return tagger.eval()


def lines_of(name):
    with open(path(name)) as file:
        return [json.loads(line) for line in file]


def main():
    reader = pretrained()
    tagger = fitted_tagger(reader, [text for text in lines_of("texts.ndjson") if text["words"]])
    judge, names = fitted_judge(reader, lines_of("examples.ndjson"))
    write(judge, names, tagger)


def floats(weight):
    return base64.b64encode(weight.detach().numpy().astype("<f4").tobytes()).decode()


def network(part):
    reader = part.reader
    of_word = reader.input.weight[:, : 100 + LEARNED]
    table = (torch.cat([glove, reader.learned.weight], 1) @ of_word.t()).detach()
    return {
        "table": floats(table[1:]),
        "marks": floats(reader.input.weight[:, 100 + LEARNED :].t()),
        "offset": floats(reader.input.bias),
        "gru": {name: floats(weight) for name, weight in reader.gru.named_parameters()},
        "hidden": [floats(part.hidden.weight), floats(part.hidden.bias)],
        "output": [floats(part.output.weight), floats(part.output.bias)],
    }


def write(judge, names, tagger):
    fit = {
        "words": list(places),
        "judge": network(judge),
        "tagger": network(tagger),
        "features": dict(zip(names, judge.features.weight.squeeze(1).tolist())),
    }
    with open(path("fit.json"), "w") as file:
        json.dump(fit, file)


main()
