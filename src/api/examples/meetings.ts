import type { AgendaSummary, Claims, Graphics, Newsletter, Recap } from "../../../schema/briefing.ts"
import type { Clips, CommunityClips } from "../../../schema/clip.ts"
import type { AgendaCopy, Video } from "../../../schema/media.ts"
import { AgendaItemId, ClaimId, ClipId, FigureId, MeetingId } from "../../../schema/primitives.ts"
import type { Transcript } from "../../../schema/transcript.ts"

const id = MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")
const item = AgendaItemId.make("8c5d0a3b-1f2e-5c4d-8a9b-0c1d2e3f4a5b")
const clip = ClipId.make("5e6f7a8b-9c0d-5e1f-8a2b-3c4d5e6f7a8b")
const figure = FigureId.make("a1b2c3d4-e5f6-5a7b-8c9d-0e1f2a3b4c5d")

const minted = (key: string) => ({
  url: `https://record.example.gov/api/media/${key}?sig=k1.1773331200000.0.Zm9yIHRoZSBzcGVjaWZpY2F0aW9u`,
  expires_at: "2026-03-12T16:00:00Z"
})

/** A response of each operation on the parts of a meeting, by its `operationId`. */
export const meetingExamples = {
  getTranscript: {
    meeting_id: id,
    version: "refined",
    language: "en-US",
    generator: "whisperx/3.4",
    duration: 5412.5,
    removals: [{ kind: "home", count: 2 }],
    segments: [
      {
        start: 1804,
        end: 1805.9,
        speaker: "Mayor Ruiz",
        text: "The greenway, please.",
        words: [
          { start: 1804, end: 1804.3, text: "The" },
          { start: 1804.4, end: 1805.1, text: "greenway," },
          { start: 1805.3, end: 1805.9, text: "please." }
        ]
      }
    ]
  } satisfies Transcript,
  getNewsletter: {
    meeting_id: id,
    pending_verification: false,
    verification: "verified",
    headline: "Council funds the creek greenway",
    worth_watching: [{ text: "The vote on phase two, after an hour of comment", start: 1804 }],
    topics: [
      {
        title: "Greenway",
        sentences: [
          {
            text: "The council voted five to two for phase two of the creek greenway.",
            citations: [{ start: 1901.2, end: 1921.5 }]
          }
        ],
        figures: [figure]
      }
    ],
    removed_sentences: 1,
    unchecked_sentences: 0,
    generator: "briefing/2",
    published_at: "2026-03-12T08:15:00Z"
  } satisfies Newsletter,
  getClaims: {
    meeting_id: id,
    enabled: true,
    imported: false,
    status: "verified",
    claims: [
      {
        id: ClaimId.make("c0ffee00-1234-5678-9abc-def012345678"),
        topic: "Greenway",
        text: "The council voted five to two for phase two of the creek greenway.",
        verdict: "supported",
        kept: true,
        evidence: [{ start: 1901.2, end: 1921.5, quote: "That is five ayes and two nays; the motion carries." }],
        checked_at: "2026-03-12T08:14:00Z"
      }
    ]
  } satisfies Claims,
  getRecap: {
    meeting_id: id,
    headline: "Greenway funded",
    summary: "The council funded phase two of the greenway and laid the sign ordinance over.",
    decisions: [{ agenda_item: item, outcome: "Approved", vote: "5-2", start: 1901.2 }]
  } satisfies Recap,
  getGraphics: {
    meeting_id: id,
    figures: [
      {
        id: figure,
        title: "What phase two costs",
        alt: "Bars: path 1.2, bridge 0.8, lighting 0.3 million dollars.",
        media_type: "image/png",
        width: 1200,
        height: 675,
        ...minted(`meetings/${id}/figures/${figure}.png`)
      }
    ]
  } satisfies Graphics,
  getVideo: {
    meeting_id: id,
    media_type: "video/mp4",
    width: 1280,
    height: 720,
    duration: 5412.5,
    ...minted(`meetings/${id}/web/720p.mp4`),
    poster_url: `https://record.example.gov/api/media/meetings/${id}/poster.jpg`
  } satisfies Video,
  getAgendaCopy: {
    meeting_id: id,
    media_type: "application/pdf",
    bytes: 48_211,
    ...minted(`meetings/${id}/agenda.pdf`),
    source_url: "https://springfield.example.gov/agendas/2026-03-10.pdf"
  } satisfies AgendaCopy,
  getAgendaSummary: {
    meeting_id: id,
    items: [
      { number: "7a", title: "Creek greenway, phase two", summary: "Money for the path from the mill to the park." }
    ]
  } satisfies AgendaSummary,
  getClips: {
    meeting_id: id,
    clips: [
      {
        id: clip,
        title: "Council debates the greenway",
        start: 1804,
        end: 1921.5,
        duration: 117.5,
        agenda_item: item,
        ...minted(`meetings/${id}/clips/${clip}.mp4`)
      }
    ]
  } satisfies Clips,
  getCommunityClips: {
    meeting_id: id,
    clips: [
      {
        slug: "q7Jx2mVd9Kc",
        title: "What the neighbors said",
        start: 812,
        end: 874.5,
        duration: 62.5,
        ...minted("user-clips/0d9c8b7a-6f5e-4d3c-8b2a-190817263544.mp4")
      }
    ]
  } satisfies CommunityClips
}
