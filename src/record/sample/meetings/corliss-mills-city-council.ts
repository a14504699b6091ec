import type { AuthoredBody } from "../authoring.ts"

export const corlissMillsCityCouncil: AuthoredBody = {
  name: "Corliss Mills City Council",
  kind: "city_council",
  places: ["corliss-mills"],
  host: "corlissmills.example",
  weekday: 3,
  at: "19:00",
  room: "Council Room, Corliss Mills City Hall, 6 Dam Street",
  speakers: {
    Vandermeer: "Mayor Ida Vandermeer",
    Clerk: "City Clerk Pete Sobczak",
    Hollis: "Commissioner Ron Hollis",
    Espinoza: "Commissioner Marta Espinoza",
    Greer: "Commissioner Wendell Greer",
    Lacroix: "Commissioner Annette Lacroix",
    Streets: "Street Superintendent Bud Kolar",
    Chief: "Police Chief Denise Whitaker"
  },
  meetings: [
    {
      key: "beer-permit",
      weeks: -2,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Minutes and bills | Bills of $74,118.92. | Approved 5-0
        3 | Temporary beer permit: Mill Days | For the volunteer fire company, two evenings in Dam Street Park. | Approved with conditions 4-1
        4 | Brick on Second Street | Patch two blocks in asphalt at $31,000, or relay the brick at $118,000. | Relaying approved 3-2
        5 | Garbage: contract extension | One year with Tri-Valley Hauling at $17.85 a household a month. | Approved 5-0
        6 | Adjournment`,
      script: `
        @1
        Vandermeer: Good evening. Mr. Sobczak, the roll, please.
        Clerk: Espinoza, Greer, Hollis, Lacroix, and the mayor. All five, ma'am.
        @2
        Hollis: Move the minutes and the bills.
        Lacroix: Second.
        Vandermeer: In favor? Opposed? Thank you.
        @3 | A beer permit for Mill Days
        Art Penhallow #penhallow: I'm with the volunteer fire company. We're asking for the same beer permit as last year, Friday and Saturday from five to eleven. It pays for about half of our air packs.
        Chief #calls: We had seven calls last year after ten o'clock, and two of them were fights. I'd support it until ten.
        Penny Stroh #stroh: My bedroom window is forty yards from the tent. I don't mind the beer. It's the generator. Could it go on the dam side?
        Art Penhallow #generator: Yes. We'd need two hundred feet of cable, and the city has that.
        Hollis #eleven: The band is hired until eleven. If you stop pouring at ten, they'll drink in the parking lot, and then nobody is watching.
        Espinoza #motion: Then pour until ten thirty, generator on the dam side, and a wristband for everyone who drinks. That's my motion.
        Greer: Second.
        Clerk #permitvote: Espinoza, aye. Greer, aye. Hollis, no. Lacroix, aye. Mayor, aye. Four to one.
        @4 | The brick on Second Street
        Streets #brick: Two blocks of Second have sunk over the old sewer. I can mill it and patch it in asphalt for thirty-one thousand. Or I take up the brick, fix the bed and put the brick back. That's a hundred and eighteen.
        Greer #asphalt: We have eighty-five thousand in the whole street fund. I can't go along with brick.
        Lacroix #history: It's the last brick street we have, and the asphalt would last twelve years. What did the brick last?
        Streets #ninety: Since about 1926, ma'am.
        Espinoza #spread: Could you do one block this year and one block next?
        Streets #oneblock: I could. Fifty-nine thousand each, if the bid holds.
        Lacroix: I move it that way. One block a year.
        Espinoza: Second.
        Clerk #brickvote: Espinoza, aye. Greer, no. Hollis, no. Lacroix, aye. Mayor?
        Vandermeer #mayoraye: Aye. I'd sooner do it once.
        Clerk: Three to two.
        @5
        Clerk #garbage: Tri-Valley asks for seventeen eighty-five a household, up sixty cents, for one more year.
        Hollis: Move the extension, and let's bid it next time.
        Greer: Second.
        Clerk: All five, aye.
        @6
        Vandermeer: Adjourned. Good night.`,
      transcripts: "both",
      misheard: {
        sobczak: "sob check",
        espinoza: "spinoza",
        lacroix: "la croy"
      },
      figures: [
        {
          key: "brick",
          title: "Second Street: cost of a year of use",
          alt: "Bar chart in dollars a year: asphalt patch 2,583 over 12 years, relaid brick 1,311 over 90 years.",
          mark: "bar",
          x: "",
          y: "Dollars a year",
          values: [
            ["Asphalt, 12 years", 2583],
            ["Brick, 90 years", 1311]
          ]
        }
      ],
      briefing: `
        Mill Days may pour until 10:30, and Second Street keeps its brick
        * The garbage contract is to be put out to bid after this year's extension. #garbage
        == Mill Days
        The fire company got its beer permit by four to one, with the last pour at 10:30. #permitvote #motion
        Police had seven calls after ten o'clock at last year's event. #calls
        The generator moves to the dam side of the park. #stroh #generator #motion
        The event raised $22,000 last year. !unsupported
        == Second Street %brick
        Two blocks of brick will be relaid, one a year, at $59,000 each. #oneblock #mayoraye
        Patching them in asphalt would have cost $31,000. #brick
        The vote to relay the brick was unanimous. #brickvote !contradicted`,
      recap: {
        headline: "Beer permit with conditions; brick by one vote",
        summary:
          "The council approved a beer permit for Mill Days with an earlier last pour, and decided to relay the brick of Second Street one block a year.",
        decisions: `
          3 | Approved with conditions | 4-1 (Hollis no)
          4 | Relaying approved, one block a year | 3-2 (Greer, Hollis no)
          5 | Approved | 5-0`
      },
      agendaSummary: `
        3 | Whether the fire company may sell beer in the park at Mill Days.
        4 | Asphalt or brick for two sunken blocks of Second Street.
        5 | Who picks up the garbage for another year.`,
      clips: [
        { key: "brick", title: "Asphalt or brick?", from: "brick", to: "ninety", item: "4", state: "proposal" },
        { key: "ten", title: "Until ten or until eleven", from: "calls", to: "motion", item: "3", state: "alternate" }
      ]
    },
    {
      key: "dam-gate",
      weeks: -11,
      title: "Regular Meeting",
      transcripts: "raw",
      misheard: {
        espinoza: "espinosa",
        kolar: "collar",
        greer: "gear",
        lacroix: "la croix",
        hollis: "holly's"
      },
      agenda: `
        1 | Call to order
        2 | Dam gate: inspection | The state asks for repair of gate 3 within a year. | Received
        3 | Dog ordinance: leash length | Six feet on the dam walk. | Adopted 5-0`,
      script: `
        @1
        Vandermeer: The council will come to order. Espinoza, Greer, Hollis and Lacroix are present. Mr. Kolar, you have the dam.
        @2 | Gate 3 of the dam
        Streets: The state was out on the dam. Gates one and two are fine. Gate three opens, and it doesn't close all the way. They've given us a year.
        Greer: What does a gate cost?
        Streets: The last one was sixty-four thousand dollars, and that was nine years ago.
        Espinoza: Is there any grant for it?
        Clerk: There's one for high hazard dams. Ours is rated low, which is good news for everything except the grant.
        Hollis: Then put it in the budget, and get a quote before winter.
        @3 | Leashes on the dam walk
        Lacroix: I asked for this because of the long leashes. A bicycle came off the walk in June.
        Chief: We'd write warnings for the first season.
        Lacroix: I move the ordinance.
        Hollis: Second.
        Clerk: Five ayes. It's adopted.
        Vandermeer: We're adjourned.`
    },
    {
      key: "next-regular",
      weeks: 2,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Minutes and bills
        3 | Second Street: bids for the first block of brick
        4 | Dam gate 3: quotes for repair | Two quotes are expected by the day of the meeting.
        5 | Burning hours | Annual resolution.
        6 | Adjournment`,
      agendaSummary: `
        3 | Who will relay the first block of brick.
        4 | What it costs to mend a gate of the dam.`
    }
  ]
}
