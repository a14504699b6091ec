import { type MeetingId, UserClipId } from "../../../schema/primitives.ts"
import type { AutoUserClip, SharedClip, UserClip, UserClipList } from "../../../schema/user-clip.ts"

/** Answers about clips that readers make, of the meeting of the other examples. */
export const userClipExamples = (id: MeetingId) => {
  const userClipId = UserClipId.make("0d9c8b7a-6f5e-4d3c-8b2a-190817263544")
  const span = { title: "The greenway vote", start: 1804, end: 1921.5, duration: 117.5 }
  const watched = {
    url: `https://record.example.gov/api/media/user-clips/${userClipId}.mp4?sig=k1.1773316800000.w.q8ZrT0`,
    expires_at: "2026-03-12T12:00:00Z",
    captions_url: `https://record.example.gov/captions/user-clips/${userClipId}.vtt?sig=k1.1773316800000.w.q8ZrT0`
  }

  const userClip: UserClip = {
    id: userClipId,
    slug: "k7Qm2xVt9aZr4LpB",
    meeting_id: id,
    ...span,
    state: "ready",
    created_at: "2026-03-12T05:58:00Z",
    share_url: "https://record.example.gov/clips/k7Qm2xVt9aZr4LpB",
    shares: 2,
    visits: 31,
    ...watched,
    download_url: `https://record.example.gov/api/user-clips/${userClipId}/download`
  }

  const rendering: UserClip = {
    id: userClipId,
    slug: userClip.slug,
    meeting_id: id,
    ...span,
    state: "rendering",
    created_at: userClip.created_at,
    share_url: userClip.share_url,
    shares: 0,
    visits: 0
  }

  return {
    createUserClip: rendering,
    listUserClips: { clips: [userClip] } satisfies UserClipList,
    getSharedClip: { slug: userClip.slug, meeting_id: id, ...span, ...watched } satisfies SharedClip,
    suggestUserClip: { meeting_id: id, start: 1804, end: 1921.5, title: span.title } satisfies AutoUserClip
  }
}
