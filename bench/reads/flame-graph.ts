import { fileURLToPath } from "node:url"

/** The output of `node --cpu-prof` (`Profiler.Profile` of the DevTools protocol); times are in microseconds. */
export interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: ReadonlyArray<number>
  }>
  /** On the system's monotonic clock, which all processes share. */
  readonly startTime: number
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** A function as called from the one above it. Times are in milliseconds. */
interface Frame {
  readonly name: string
  readonly where: string
  readonly self: number
  readonly total: number
  readonly children: ReadonlyArray<Frame>
}

/** Node's labels for time in which the program was idle. */
const idle = new Set(["(idle)", "(program)"])

/** A function's location: its file within the project, or its package. */
const whereOf = (url: string, root: string): string => {
  const file = url.startsWith("file:") ? fileURLToPath(url) : url
  const [, packaged] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
  return packaged ?? (file.startsWith(root) ? file.slice(root.length + 1) : file)
}

/**
 * The calls of a profile as a tree, merging calls of the same function from the same place. Only samples after `from`
 * count, in microseconds of the monotonic clock.
 */
export const framesOf = ({ nodes, startTime, samples, timeDeltas }: Profile, root: string, from = 0): Frame => {
  const own = new Map<number, number>()
  let now = startTime
  for (const [at, id] of samples.entries()) {
    const delta = timeDeltas[at] ?? 0
    now += delta
    if (now >= from) own.set(id, (own.get(id) ?? 0) + delta / 1000)
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const frame = (name: string, where: string, ids: ReadonlyArray<number>): Frame => {
    const called = ids.flatMap((id) => byId.get(id)?.children ?? []).flatMap((id) => byId.get(id) ?? [])
    const alike = Map.groupBy(
      called.filter(({ callFrame }) => !idle.has(callFrame.functionName)),
      ({ callFrame }) => `${callFrame.functionName} ${callFrame.url}`
    )
    const children = [...alike.values()].flatMap((same) =>
      same[0] === undefined
        ? []
        : [
            frame(
              same[0].callFrame.functionName || "(anonymous)",
              whereOf(same[0].callFrame.url, root),
              same.map(({ id }) => id)
            )
          ]
    )
    const self = ids.reduce((sum, id) => sum + (own.get(id) ?? 0), 0)
    return { name, where, self, total: self + children.reduce((sum, { total }) => sum + total, 0), children }
  }
  const first = nodes[0]?.id
  return frame("all", "", first === undefined ? [] : [first])
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const width = 1200
const rowHeight = 16
/** Pixels below which a call is left out. */
const narrowest = 1.2
/** The width of a letter, in pixels. */
const letter = 6.2

/** Warm colors for our own code, cool ones for packages, gray for Node and V8. */
const colorOf = ({ name, where }: Frame): string => {
  const shade = [...name].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 30
  if (/^(src|layers|schema)\//.test(where)) return `hsl(${20 + shade} 85% 62%)`
  if (where === "" || where.startsWith("node:")) return `hsl(0 0% ${74 + shade / 3}%)`
  return `hsl(${195 + shade} 55% 72%)`
}

interface Box {
  readonly frame: Frame
  readonly x: number
  readonly depth: number
}

const boxesOf = (root: Frame): ReadonlyArray<Box> => {
  const scale = width / Math.max(root.total, 1e-9)
  const boxes: Array<Box> = []
  const place = (frame: Frame, x: number, depth: number) => {
    if (frame.total * scale < narrowest) return
    boxes.push({ frame, x, depth })
    let next = x
    for (const child of frame.children.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      place(child, next, depth + 1)
      next += child.total * scale
    }
  }
  place(root, 0, 0)
  return boxes
}

/** The functions with the most self time, with their share of the total in percent. */
export const topFunctions = (root: Frame, most: number) => {
  const own = new Map<string, number>()
  const visit = (frame: Frame) => {
    const key = `${frame.name} | ${frame.where}`
    own.set(key, (own.get(key) ?? 0) + frame.self)
    frame.children.forEach(visit)
  }
  visit(root)
  return [...own]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, self]) => ({ name, share: (100 * self) / root.total }))
}

/** A flame graph as SVG: callers below, callees above, each as wide as its share of the time. */
export const flameGraph = (root: Frame, title: string): string => {
  const boxes = boxesOf(root)
  const depth = Math.max(...boxes.map((box) => box.depth)) + 1
  const height = depth * rowHeight + 30
  const scale = width / Math.max(root.total, 1e-9)
  const shapes = boxes.map(({ frame, x, depth: level }) => {
    const wide = frame.total * scale
    const y = height - (level + 1) * rowHeight
    const fits = Math.floor((wide - 6) / letter)
    const text =
      fits < 3 ? "" : `<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escaped(frame.name.slice(0, fits))}</text>`
    const tip = escaped(`${frame.name} ${frame.where} ${((100 * frame.total) / root.total).toFixed(1)} %`)
    const size = `width="${wide.toFixed(1)}" height="${rowHeight - 1}"`
    const box = `<rect x="${x.toFixed(1)}" y="${y}" ${size} fill="${colorOf(frame)}"/>`
    return `<g><title>${tip}</title>${box}${text}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="10">
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="6" y="18" font-size="13">${escaped(title)}</text>
${shapes.join("\n")}
</svg>
`
}
