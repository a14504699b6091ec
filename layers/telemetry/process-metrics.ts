import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect } from "effect"
import type { Reading } from "./metrics.ts"

/**
 * CPU, memory and event loop of this process, under the names that Prometheus's own clients use. The delay is measured
 * until the scope closes, and resets with each reading.
 */
export const processReadings = Effect.gen(function* () {
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: 20 })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  return Effect.sync((): ReadonlyArray<Reading> => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    // No samples yet, or none since the last reading: no delay.
    const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0)
    const [mean, p99] = [seconds(delay.mean), seconds(delay.percentile(99))]
    delay.reset()
    return [
      {
        name: "process_cpu_seconds_total",
        help: "CPU time used, in seconds",
        kind: "counter",
        value: (user + system) / 1e6
      },
      { name: "process_resident_memory_bytes", help: "Resident memory", kind: "gauge", value: rss },
      { name: "nodejs_heap_size_used_bytes", help: "JavaScript heap in use", kind: "gauge", value: heapUsed },
      {
        name: "nodejs_heap_size_total_bytes",
        help: "JavaScript heap, with what is free of it",
        kind: "gauge",
        value: heapTotal
      },
      {
        name: "nodejs_external_memory_bytes",
        help: "Memory of JavaScript outside of its heap, such as buffers",
        kind: "gauge",
        value: external
      },
      { name: "nodejs_eventloop_lag_mean_seconds", help: "Mean delay of the event loop", kind: "gauge", value: mean },
      { name: "nodejs_eventloop_lag_p99_seconds", help: "99th percentile of that delay", kind: "gauge", value: p99 }
    ]
  })
})
