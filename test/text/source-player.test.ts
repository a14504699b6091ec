import { assert, describe, it } from "@effect/vitest"
import { sourcePlayer } from "../../src/text/source-player.ts"

describe("the player of a source", () => {
  it("is known by the address, whichever of a provider's forms it has", () => {
    const known = {
      "https://www.youtube.com/watch?v=a95KMDHf4vQ&list=x": [
        "YouTube",
        "https://www.youtube.com/watch?v=a95KMDHf4vQ&t=61s"
      ],
      "https://youtu.be/a95KMDHf4vQ?t=3": ["YouTube", "https://www.youtube.com/watch?v=a95KMDHf4vQ&t=61s"],
      "https://www.youtube.com/live/a95KMDHf4vQ": ["YouTube", "https://www.youtube.com/watch?v=a95KMDHf4vQ&t=61s"],
      "https://vimeo.com/123456789/0123abcd45": ["Vimeo", "https://vimeo.com/123456789/0123abcd45#t=61"],
      "https://springfield.granicus.com/MediaPlayer.php?view_id=2&clip_id=6669": [
        "Granicus",
        "https://springfield.granicus.com/player/clip/6669?view_id=2&redirect=true&entrytime=61"
      ],
      "https://councilnyc.viebit.com/vod/?s=true&v=NYCC-REMOTE-10132020.mp4": [
        "Viebit",
        "https://councilnyc.viebit.com/vod/?s=true&v=NYCC-REMOTE-10132020.mp4&t=61"
      ],
      "https://archive.org/details/city-council-ws-r-3877-210624": [
        "Internet Archive",
        "https://archive.org/details/city-council-ws-r-3877-210624?start=61"
      ]
    }
    for (const [address, expected] of Object.entries(known)) {
      const found = sourcePlayer(address)
      assert.deepStrictEqual([found?.provider, found?.watch(61.9)], expected, address)
      assert.strictEqual(new URL(`${found?.embed}61`).origin, found?.origin)
    }
  })

  it("is none at any other address, and takes nothing else out of one", () => {
    for (const address of [
      undefined,
      "no address",
      "javascript:alert(1)",
      "https://youtube.com.evil.example/watch?v=a95KMDHf4vQ",
      "https://evil.example/?youtube.com/watch?v=a95KMDHf4vQ",
      "https://www.youtube.com/watch?v=short",
      "https://www.youtube.com/@springfield",
      "https://springfield.granicus.com/AgendaViewer.php?view_id=2&clip_id=6669",
      "https://archive.org/search?query=council",
      'https://archive.org/details/a";frame-src *'
    ]) {
      assert.isUndefined(sourcePlayer(address), address)
    }
  })
})
