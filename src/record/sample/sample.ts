import type { BundleEntity } from "../../../schema/bundle.ts"
import { bodies } from "./bodies.ts"
import { agencyOf, belongingsOf, meetingOf, type SampleMeeting } from "./entities.ts"
import { places } from "./places.ts"

/** The meetings of the sample, on their days around `today` (`YYYY-MM-DD`). */
export const sampleMeetings = (today: string): ReadonlyArray<SampleMeeting> =>
  bodies.flatMap((body) => body.meetings.map((meeting) => meetingOf(body, meeting, today)))

/**
 * The sample record: a made-up county of Illinois, written for Civic Record, as the entities of a bundle without its
 * media (see `sampleMedia`). Its meetings are around `today` (`YYYY-MM-DD`, in America/Chicago), so that whenever it is
 * imported some have been held and some are to come. The same day gives the same entities, another day the same ids.
 */
export function* sampleEntities(today: string): Generator<BundleEntity> {
  yield* places
  yield* bodies.map(agencyOf)
  const meetings = sampleMeetings(today)
  yield* meetings.map(({ meeting }) => meeting)
  for (const meeting of meetings) yield* belongingsOf(meeting)
}
