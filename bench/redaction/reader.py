"""A recurrent network that reads words, and begins as a language model of the corpus."""
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
BREAKS = 4  # what ends after a word
COMMON = 20_000  # words that are known although the corpus may not have them
LEAST = 5  # words that are said less often say nothing
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
        self.input = nn.Linear(100 + LEARNED + BREAKS, SIZE)
        self.gru = nn.GRU(SIZE, SIZE, batch_first=True, bidirectional=True)

    def inputs(self, words, breaks, withheld):
        learned = F.dropout(self.learned(words), withheld, self.training)
        return torch.relu(self.input(torch.cat([glove[words], learned, F.one_hot(breaks, BREAKS).float()], 2)))

    def states(self, words, breaks, lengths):
        if self.training:
            words = torch.where((torch.rand(words.shape) < 0.1) & (words > 0), torch.ones_like(words), words)
        inputs = F.dropout(self.inputs(words, breaks, 0.3), 0.2, self.training)
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.gru(packed)[0], batch_first=True, total_length=words.shape[1])[0]


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

    # Read twice, from another word on.
    begins = [random.permutation(len(words) // length - 1) * length + offset for offset in (0, length // 2)]
    chunks = np.concatenate(begins)
    steps = len(chunks) // batch
    for step in range(steps):
        at = chunks[step * batch : (step + 1) * batch, None] + np.arange(length)
        said, ended = torch.tensor(words[at]), torch.tensor(breaks[at])
        others = torch.tensor(np.searchsorted(sums, random.random(guesses)).clip(2, len(glove) - 1))
        for group in optimizer.param_groups:
            group["lr"] = 2e-3 * min(1, (step + 1) / 200) * max(0.03, 1 - step / steps)
        inputs = F.dropout(reader.inputs(said, ended, 0), 0.1)
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
