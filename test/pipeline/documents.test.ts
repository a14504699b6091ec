import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Resvg } from "@resvg/resvg-js"
import { Effect, Layer, Logger, Option } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { fontFile } from "../../layers/renderer/args.ts"
import { onPath } from "../../layers/renderer/tools.ts"
import type { MeetingDocument } from "../../schema/document-text.ts"
import type { MeetingId } from "../../schema/primitives.ts"
import { documentsStage } from "../../src/pipeline/stages/documents/documents.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { Documents } from "../../src/services/meetings/documents.ts"
import { laneNames } from "../../src/services/queue/stages.ts"
import { DueDocuments } from "../../src/services/sources/due-documents.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { agency, place, putOnRecord } from "../support/builders.ts"
import { cityServer, file, says } from "../support/city-server.ts"
import { Crawling, crawled, crawlingWorker, settled } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { day } from "../support/legistar-city.ts"
import { pdfOf, pdfWith } from "../support/pdf.ts"
import { eventually, scratch } from "../support/rendering.ts"
import { zipped } from "../support/zipped.ts"

const TestStore = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Deployment = Layer.mergeAll(Crawling, Documents.layer, DueDocuments.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(TestDb, TestStore))
)

const pdf = (...lines: ReadonlyArray<string>) => Effect.promise(() => pdfOf(lines))

const html = (body: string) => says(`<!doctype html><title>Page</title>${body}`, "text/html; charset=utf-8")

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const word = (body: string) =>
  zipped(
    "word/document.xml",
    Buffer.from(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
    )
  )

/** A page of a document that somebody has scanned. */
const scanned = (words: string) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="300"><rect width="1200" height="300" fill="#fff"/>
    <text x="40" y="170" font-size="64" font-family="DejaVu Sans">${words}</text></svg>`
  const picture = new Resvg(svg, { font: { fontFiles: [fontFile], loadSystemFonts: false } }).render().asPng()
  return Effect.promise(() => pdfWith((document) => document.image(Buffer.from(picture), 36, 36, { width: 500 })))
}

/** A worker that reads documents alone; with a program of that name on its path, it recognizes pictures. */
const readingWorker = (programPath = "") =>
  Effect.gen(function* () {
    const environment = yield* Environment
    const documents = yield* Effect.provideService(documentsStage, Environment, { ...environment, programPath })
    yield* runWorker({ documents }, { jobs: 4, lanes: new Map(laneNames.map((lane) => [lane, 4])) }).pipe(
      Effect.provide(Logger.layer([])),
      Effect.forkScoped
    )
  })

/** A city with a calendar of its own, and one meeting of its council. */
const cityOf = Effect.fnUntraced(function* (slug: string) {
  const db = yield* Db
  const city = yield* cityServer()
  const sources = yield* Sources
  yield* putOnRecord(place(slug), agency(`${slug}-council`, [slug], { name: `${slug} Council` }))
  const source = yield* sources.add({ kind: "json", url: `${city.url}/calendar`, place: slug, everySeconds: 3600 })
  const lists = (over: object) => {
    const meeting = { id: "1", body: `${slug} Council`, title: "Regular", date: day(-3), ...over }
    city.answers.set("/calendar", says(JSON.stringify({ meetings: [meeting] })))
  }
  /** Crawls it until its documents are read; returns them as readers see them. */
  const crawl = Effect.gen(function* () {
    const documents = yield* Documents
    assert.deepStrictEqual(yield* crawled(source), { outcome: "ok", failure: null })
    yield* settled
    yield* eventually(
      Effect.map(db`select from task t where t.stage = 'documents' and t.state in ('waiting', 'running')`, (rows) =>
        rows.length === 0 ? true : undefined
      )
    )
    const [meeting] = yield* db<{ id: MeetingId }>`
      select m.id from meeting m join body b on b.id = m.body_id where b.slug = ${`${slug}-council`}`
    const { documents: cards } = yield* documents.ofMeeting(meeting?.id ?? assert.fail("no meeting"))
    return yield* Effect.forEach(cards, ({ id }) => documents.document(id))
  })
  return { city, lists, crawl }
})

const later = Effect.flatMap(Db, (db) => db`update document set asked_at = asked_at - interval '2 days'`)

const textOf = (document: MeetingDocument | undefined, version?: number) =>
  Effect.gen(function* () {
    const { pages } = yield* (yield* Documents).text(document?.id ?? "", {
      page_size: 50,
      ...(version === undefined ? {} : { version })
    })
    return pages.map(({ text }) => text)
  })

layer(Deployment, { excludeTestServices: true })("the documents of a meeting", (it) => {
  it.effect(
    "are read by page wherever the body publishes them, as PDF, Word or a web page, without private words",
    () =>
      Effect.gen(function* () {
        const { city, lists, crawl } = yield* cityOf("reading")
        yield* Effect.all([crawlingWorker, readingWorker()])
        const two = yield* Effect.promise(() =>
          pdfWith((document) => {
            document.text("Letters about Mill Street")
            document.outline.addItem("1. Mill Street").addItem("From 412 Alder Court")
            document.addPage().text("My name is Ana Ruiz and I live at 412 Alder Court, please close it.")
          })
        )
        city.answers.set("/agenda.pdf", file(yield* pdf("1. Mill Street", "2. Budget"), "application/pdf"))
        city.answers.set("/packet", file(two, "application/octet-stream"))
        const minutes = paragraph("Roll call") + paragraph('</w:t><w:br w:type="page"/><w:t>The motion carried, 5-1.')
        city.answers.set("/minutes.docx", file(yield* word(minutes), "application/msword"))
        city.answers.set(
          "/report",
          html("<nav>Home</nav><h1>Report</h1><p>The bridge<br>is <b>old</b>.</p><script>x</script>")
        )
        city.answers.set("/photo", says(Buffer.from([0xff, 0xd8, 0xff]), "image/jpeg"))
        city.answers.set("/notes", says("no document", "application/octet-stream"))
        const secret = yield* Effect.promise(() => pdfWith((document) => document.text("x"), { userPassword: "x" }))
        city.answers.set("/secret", file(secret, "application/pdf"))
        const bomb = yield* zipped("word/document.xml", Buffer.alloc(70_000_000, 0x20))
        city.answers.set("/bomb", file(bomb, "application/octet-stream"))
        lists({
          agenda_url: `${city.url}/agenda.pdf`,
          minutes_url: `${city.url}/minutes.docx`,
          attachments: ["Report", "Photo", "Notes", "Secret", "Bomb", "Full Packet"].map((title) => ({
            title,
            url: `${city.url}/${title.toLowerCase().split(" ").at(-1)}`
          }))
        })
        // The agenda is read of the copy that the meeting has, once it has one.
        assert.deepInclude((yield* crawl)[0], { kind: "agenda", state: "listed" })
        const [agenda, packet, minutesRead, report, photo, notes, encrypted, large] = yield* crawl
        assert.lengthOf(
          city.asked.filter(({ path }) => path === "/agenda.pdf"),
          1
        )
        assert.deepInclude(agenda, { kind: "agenda", state: "read", version: 1, pages: 1 })
        assert.deepStrictEqual(yield* textOf(agenda), ["1. Mill Street\n2. Budget"])
        // Reading it leaves the copy that the meeting has.
        const store = yield* ObjectStore
        assert.isTrue(Option.isSome(yield* store.head(`meetings/${agenda?.meeting.id}/agenda.pdf`)))
        assert.deepInclude(packet, { kind: "packet", title: "Full Packet", pages: 2, removals: 1 })
        const [{ bookmarks } = assert.fail("not read")] = yield* (yield* Db)<{ bookmarks: ReadonlyArray<object> }>`
          select bookmarks from document_version where document_id = ${packet?.id ?? null}`
        assert.deepInclude(bookmarks[0], { title: "1. Mill Street", page: 1 })
        assert.deepStrictEqual(yield* textOf(packet), [
          "Letters about Mill Street",
          "My name is Ana Ruiz and I live at [address removed], please close it."
        ])
        assert.deepInclude(minutesRead, { kind: "minutes", pages: 2 })
        assert.deepStrictEqual(yield* textOf(minutesRead), ["Roll call", "The motion carried, 5-1."])
        assert.deepStrictEqual(yield* textOf(report), ["Report\nThe bridge\nis old."])
        assert.deepInclude(photo, { state: "unread" })
        assert.match(photo?.unread ?? "", /does not lead to a document that can be read/)
        assert.deepInclude(notes, {
          state: "unread",
          unread: "It is neither a PDF, a Word document nor a web page."
        })
        assert.deepInclude(encrypted, { state: "unread", unread: "It is encrypted." })
        assert.deepInclude(large, { state: "unread", unread: "It is damaged, or no document that can be read." })
      }),
    60_000
  )

  it.effect(
    "are read again once they come or are replaced, at the same address or another; what they read before stays",
    () =>
      Effect.gen(function* () {
        const { city, lists, crawl } = yield* cityOf("again")
        yield* Effect.all([crawlingWorker, readingWorker()])
        const asked = (at: string) => city.asked.filter(({ path }) => path === at)
        city.answers.set("/minutes.pdf", file(yield* pdf("Draft minutes"), "application/pdf"))
        lists({})
        assert.deepStrictEqual(yield* crawl, [])
        lists({ minutes_url: `${city.url}/minutes.pdf` })
        const [draft] = yield* crawl
        assert.deepInclude(draft, { state: "read", version: 1 })
        assert.notProperty(draft, "changed_at")

        // Within a day nobody asks; after it, what its server says is the same is not fetched again.
        yield* crawl
        assert.lengthOf(asked("/minutes.pdf"), 1)
        yield* later
        city.answers.set("/minutes.pdf", (request, response) => {
          assert.strictEqual(request.headers["if-none-match"], '"1"')
          response.writeHead(304).end()
        })
        assert.deepStrictEqual(yield* crawl, [draft])
        assert.lengthOf(asked("/minutes.pdf"), 2)

        // Another file that says the same is no other version.
        yield* later
        const same = Buffer.concat([yield* pdf("Draft minutes"), Buffer.from("\n% 2\n")])
        city.answers.set("/minutes.pdf", file(same, "application/pdf", '"2"'))
        assert.deepStrictEqual(yield* crawl, [draft])

        yield* later
        city.answers.set("/minutes.pdf", file(yield* pdf("Approved minutes"), "application/pdf", '"3"'))
        const [approved] = yield* crawl
        assert.deepInclude(approved, { version: 2 })
        assert.strictEqual(approved?.id, draft?.id)
        assert.strictEqual(approved?.changed_at, approved?.fetched_at)
        assert.deepStrictEqual(
          [yield* textOf(approved), yield* textOf(approved, 1)],
          [["Approved minutes"], ["Draft minutes"]]
        )
        assert.deepStrictEqual(
          approved?.versions.map(({ version, replaced_at }) => [version, replaced_at]),
          [
            [2, undefined],
            [1, approved?.fetched_at]
          ]
        )

        // At another address it is the same document; one that is away stays as it was.
        city.answers.set("/final.pdf", file(yield* pdf("Final minutes"), "application/pdf"))
        lists({ minutes_url: `${city.url}/final.pdf` })
        const [final] = yield* crawl
        assert.deepInclude(final, { version: 3, source_url: `${city.url}/final.pdf` })
        assert.strictEqual(final?.id, draft?.id)
        city.answers.delete("/final.pdf")
        yield* later
        assert.deepStrictEqual(yield* crawl, [final])
      }),
    60_000
  )

  it.effect(
    "are recognized where their pages are pictures and the system has tesseract; else they say that they are unread",
    () =>
      Effect.gen(function* () {
        const { city, lists, crawl } = yield* cityOf("scanned")
        yield* crawlingWorker
        city.answers.set("/minutes.pdf", file(yield* scanned("NOTICE OF HEARING"), "application/pdf"))
        lists({ minutes_url: `${city.url}/minutes.pdf` })
        const [without] = yield* Effect.scoped(Effect.andThen(readingWorker(), crawl))
        assert.deepInclude(without, {
          state: "unread",
          pages: 1,
          unread: "Its pages are empty or pictures that were not read."
        })

        // The real one where it is, and else one that says how wide its picture is.
        const folder = yield* scratch
        const real = onPath("/usr/bin:/usr/local/bin", "tesseract")
        const program = path.join(folder, "tesseract")
        fs.writeFileSync(
          program,
          real === undefined
            ? '#!/bin/sh\nhead -c 11 "$1" | grep -q 1200 && echo NOTICE OF HEARING\n'
            : `#!/bin/sh\nexec ${real} "$@"\n`,
          { mode: 0o755 }
        )
        yield* readingWorker(`${folder}:/usr/bin:/bin`)
        const copy = Buffer.concat([yield* scanned("NOTICE OF HEARING"), Buffer.from("\n% 2\n")])
        city.answers.set("/again.pdf", file(copy, "application/pdf"))
        lists({ minutes_url: `${city.url}/again.pdf` })
        const [read] = yield* crawl
        assert.deepInclude(read, { state: "read", version: 2 })
        assert.deepStrictEqual(yield* textOf(read), ["NOTICE OF HEARING"])
        const { pages } = yield* (yield* Documents).text(read?.id ?? "", {})
        assert.deepInclude(pages[0], { from: "ocr" })
      }),
    60_000
  )

  it.effect(
    "that are minutes put their votes on record once they come, and in their place those of a new version",
    () =>
      Effect.gen(function* () {
        const { city, lists, crawl } = yield* cityOf("voting")
        yield* Effect.all([crawlingWorker, readingWorker()])
        const db = yield* Db
        const voted = Effect.map(
          db<{ motion: string; result: string; name: string }>`
            select motion, result, agenda_item_id is not null as item, b.name, b.option from vote v
            join ballot b on b.vote_id = v.id where v.origin = 'minutes' and v.kind = 'vote' order by b.name`,
          (rows) => rows.map((row) => Object.values(row).join(" "))
        )
        const minutes = (motion: string, votes: string) =>
          Effect.map(
            pdf("Members Present: Ames, Poe", "1. Roads", `Motion by Ames, seconded by Poe, to ${motion}. ${votes}`),
            (made) => file(made, "application/pdf")
          )
        lists({})
        assert.lengthOf(yield* crawl, 0)
        city.answers.set("/minutes", yield* minutes("pave", "Ayes: Ames, Poe. Nays: None. Motion carried."))
        lists({ minutes_url: `${city.url}/minutes` })
        yield* crawl
        assert.deepStrictEqual(yield* voted, ["pave pass false Ames yes", "pave pass false Poe yes"])
        city.answers.set("/approved", yield* minutes("pave", "Ayes: Ames. Nays: Poe. Motion failed."))
        lists({ minutes_url: `${city.url}/approved` })
        yield* crawl
        assert.deepStrictEqual(yield* voted, ["pave fail false Ames yes", "pave fail false Poe no"])
      }),
    60_000
  )
})
