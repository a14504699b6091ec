/**
 * Runs one graph of filters to its end with node-av, as `ffmpeg -f lavfi` would, in a process of its own: a model's
 * file that crashes whisper.cpp ends nothing else. What the graph writes goes to standard output, FFmpeg's warnings to
 * standard error. Exits with 1 if the graph cannot be made or breaks, and with 3 if node-av is not installed.
 */
const [graph = ""] = process.argv.slice(2)

/** FFmpeg's AV_LOG_WARNING and AVERROR_EOF. */
const warnings = 24
const atEnd = -541_478_725

const run = ({ FilterGraph, Log }: typeof import("node-av/lib")): number => {
  Log.setLevel(warnings)
  const filters = new FilterGraph()
  filters.alloc()
  if (filters.parsePtr(`${graph},anullsink`) < 0 || filters.configSync() < 0) return 1
  for (;;) {
    const answer = filters.requestOldestSync()
    if (answer < 0) return answer === atEnd ? 0 : 1
  }
}

import("node-av/lib").then(
  (av) => {
    process.exitCode = run(av)
  },
  () => {
    process.exitCode = 3
  }
)
