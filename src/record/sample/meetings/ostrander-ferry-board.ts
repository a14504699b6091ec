import type { AuthoredBody } from "../authoring.ts"

export const ostranderFerryBoard: AuthoredBody = {
  name: "Ostrander Ferry Village Board",
  kind: "city_council",
  places: ["ostrander-ferry"],
  host: "ostranderferry.example",
  weekday: 2,
  at: "19:00",
  room: "Village Hall, 2 Landing Road, Ostrander Ferry",
  speakers: {
    Maddox: "Village President Earlene Maddox",
    Clerk: "Village Clerk Ruthie Sandahl",
    Cobb: "Trustee Jim Cobb",
    Fuentes: "Trustee Adán Fuentes",
    Grady: "Trustee Noreen Grady",
    Lindley: "Trustee Sam Lindley",
    Roth: "Trustee Hilde Roth",
    Stokes: "Trustee Marvin Stokes",
    Water: "Water Operator Dale Ritter"
  },
  meetings: [
    {
      key: "boat-ramp",
      weeks: -4,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Minutes and bills | Bills of $21,660.35. | Approved 6-0
        3 | Boat ramp: parking fee | $5 a day for a trailer from outside the village; residents free. | Approved 4-2
        4 | Well 2: pump | Replacement at $27,900 from the water reserve. | Approved 6-0
        5 | Landing Road: oil and chip | 1.4 miles with the township, the village's share $33,000. | Tabled
        6 | Adjournment`,
      script: `
        @1
        Maddox: Evening, everybody. Ruthie, the roll.
        Clerk: Cobb, Fuentes, Grady, Lindley, Roth, Stokes. All six trustees, and the president.
        @2
        Grady: Move the minutes and the bills.
        Lindley: Second.
        Maddox: All in favor? Thank you.
        @3 | Five dollars at the boat ramp
        Cobb #ramp: I counted trailers over Labor Day weekend. There were fifty-two, and thirty-eight of them weren't ours. We pay for the gravel, the mowing and the portable toilet. It was seventy-four hundred dollars last year.
        Dwight Haines #haines: I sell bait across the road. Those thirty-eight buy minnows and sandwiches. They can launch at the county ramp for nothing, and it's six miles.
        Roth #box: Who collects it? I don't want to pay a person nine dollars to collect five.
        Cobb #envelope: An envelope and an iron box, like at the state park. The deputy looks at the windshields when he goes by.
        Stokes #stokes: I'm against it. The grant that built the ramp says that it's open to everybody.
        Clerk #grant: I called about that, Marvin. It may charge, so long as the fee is used for the ramp and it isn't more than twice what a resident pays.
        Fuentes #twice: Then residents can't be free. Twice nothing is nothing.
        Lindley #amend: So make it three dollars for us and five for visitors, and a season sticker for ten.
        Maddox: Is that a motion, Sam?
        Lindley: It is.
        Grady: Second.
        Clerk #rampvote: Cobb, aye. Fuentes, aye. Grady, aye. Lindley, aye. Roth, no. Stokes, no. Four to two.
        @4 | The pump in Well 2
        Water #pump: The pump in Well 2 is drawing forty amps, where it ought to draw thirty-one. It'll go this winter, and it'll go on a holiday. Twenty-seven nine, installed.
        Grady: What's in the reserve?
        Water #reserve: Sixty-two thousand before this.
        Fuentes: I move to do it now.
        Cobb: Second.
        Clerk #pumpvote: Six ayes.
        @5 | Oil and chip on Landing Road
        Maddox #chip: The township will oil and chip Landing Road if we put in thirty-three thousand. They'd do it in spring.
        Roth #culvert: The culvert at Ferry Slough has to be done before, or the trucks will break it. I'd like a price on that first.
        Maddox #tabled: Then we'll table it to {+28}, and I'll call the township.
        @6
        Maddox: Motion to adjourn? So moved. Good night.`,
      transcripts: "both",
      misheard: {
        fuentes: "fountains",
        lindley: "linley",
        roth: "wroth",
        slough: "slew",
        ferry: "fairy"
      },
      briefing: `
        Village will charge for the boat ramp: $3 for residents, $5 for visitors
        * Landing Road comes back on {+28}, with a price for the culvert. #culvert #tabled
        == Boat ramp
        The board set a fee of $3 for residents and $5 for others, four to two. #amend #rampvote
        The ramp cost the village $7,400 last year. #ramp
        Residents may use the ramp free of charge. #twice #amend !contradicted
        Fees go into an iron box in envelopes. #envelope
        The county will close its own ramp next year. !unsupported
        == Water and roads
        The pump of Well 2 will be replaced for $27,900 from the water reserve. #pump #pumpvote
        Work on Landing Road was tabled. #chip #tabled`,
      recap: {
        headline: "A fee at the boat ramp",
        summary:
          "The board set a parking fee at the boat ramp, ordered a pump for Well 2 and put off Landing Road to {+28}.",
        decisions: `
          2 | Approved | 6-0
          3 | Approved as amended | 4-2 (Roth, Stokes no)
          4 | Approved | 6-0
          5 | Tabled to {+28} | By consent`
      },
      agendaSummary: `
        3 | Whether visitors should pay to launch a boat.
        4 | A pump for one of the village's two wells.
        5 | A new surface for Landing Road.`
    },
    {
      key: "flood-watch",
      weeks: -13,
      title: "Emergency Meeting",
      at: "08:00",
      agenda: "",
      script: `
        @ | River stage
        Maddox: It's eight in the morning, and we have four trustees: Cobb, Fuentes, Grady and Roth. This is an emergency meeting, and the notice is on the door.
        Water #stage: The river is at eighteen feet two inches, and they say twenty point five by tomorrow night. At nineteen and a half it comes over Landing Road by the slough.
        Grady #homes: How many homes is that?
        Water #nine: Nine, and the bait shop. Well 1 is fine. I'd shut off Well 2 at nineteen.
        @ | Sandbags and the shelter
        Cobb #bags: The county has six thousand bags and no sand. The quarry will give us a truck for four hundred and eighty dollars.
        Roth #school: Ferry Elementary will open the gym at noon. They asked for somebody with a key to stay overnight. I'll do it.
        Fuentes: I move to close Landing Road at noon, and to buy the sand.
        Cobb: Second.
        Clerk #floodvote: Four ayes.
        Maddox: We'll meet again tomorrow at eight, if we need to. Thank you, Dale.`
    },
    {
      key: "next-regular",
      weeks: 1,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Minutes and bills
        3 | Landing Road: oil and chip, with the culvert at Ferry Slough | Taken from the table.
        4 | Boat ramp: order of the fee box and signs | $1,145.
        5 | Ferry Elementary: letter to the Two Rivers School Board
        6 | Adjournment`
    }
  ]
}
