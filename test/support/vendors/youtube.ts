import { type CityServer, says } from "../city-server.ts"
import { day } from "../legistar-city.ts"

/** A recording in a channel: its title, and how many days ago it came online. */
export interface Video {
  readonly id: string
  readonly title: string
  readonly days: number
}

/** A day as titles of recordings write it. */
export const usDay = (days: number) => day(days).replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$2/$3/$1")

const entry = ({ id, title, days }: Video) => `<entry>
  <id>yt:video:${id}</id><yt:videoId>${id}</yt:videoId><yt:channelId>UCabcdefghijklmnopqrstuv</yt:channelId>
  <title>${title}</title><link rel="alternate" href="https://www.youtube.com/watch?v=${id}"/>
  <published>${day(days)}T17:00:00+00:00</published><updated>${day(0)}T01:00:00+00:00</updated>
  <media:group><media:title>${title}</media:title>
    <media:content url="https://www.youtube.com/v/${id}?version=3" type="application/x-shockwave-flash" width="640"/>
    <media:description>Held on 1/2/2020</media:description></media:group></entry>`

/** A YouTube channel's feed: the fifteen newest, whatever there is, by when they came online. */
export const youTubeFeed = (city: CityServer, videos: ReadonlyArray<Video>, name = "City of Springfield") => {
  const newest = videos.toSorted((a, b) => b.days - a.days).slice(0, 15)
  city.answers.set(
    "/feeds/videos.xml",
    says(
      `<?xml version="1.0" encoding="UTF-8"?>
      <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/"
        xmlns="http://www.w3.org/2005/Atom"><yt:channelId>UCabcdefghijklmnopqrstuv</yt:channelId>
      <title>${name}</title>${newest.map(entry).join("\n")}</feed>`,
      "text/xml; charset=UTF-8"
    )
  )
  return `${city.url}/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrstuv`
}
