import { Tracer } from "effect"

/** A tracer that keeps every span it begins, in their order. */
export const recordedSpans = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span(options) {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}
