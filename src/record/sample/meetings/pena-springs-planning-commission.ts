import type { AuthoredBody } from "../authoring.ts"

export const penaSpringsPlanningCommission: AuthoredBody = {
  name: "Peña Springs Planning Commission",
  kind: "planning_commission",
  places: ["pena-springs"],
  host: "penasprings.example",
  weekday: 3,
  at: "18:00",
  room: "Council Room, City Hall, 12 Spring Street, Peña Springs",
  speakers: {
    Whitlock: "Chair Cornelia Whitlock",
    Béland: "Commissioner Marc Béland",
    Fonseca: "Commissioner Inez Fonseca",
    Haugen: "Commissioner Oscar Haugen",
    Rigby: "Commissioner Pam Rigby",
    Wójcik: "City Engineer Tomasz Wójcik",
    Planner: "City Planner Adaeze Nwosu"
  },
  meetings: [
    {
      key: "cannery",
      weeks: -9,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Case 11: rezoning, 400 Route 29 | The former cannery, 6.2 acres, from light industrial to mixed use. | Recommended 3-2
        3 | Case 12: special use, 77 Orchard Lane | Day care for twelve children in a house. | Recommended with conditions 5-0
        4 | Sign code: discussion | Feather flags and how long one may stand. | Discussed`,
      script: `
        @1
        Whitlock: It's six o'clock, and the planning commission is in order. All five of us are here.
        @2 | Rezoning the cannery
        Planner #case: Case 11 is a rezoning from light industrial to mixed use. The comprehensive plan shows this side of Route 29 as an employment area. It also says that a vacant site of more than ten years may be looked at again, and this one has been vacant longer than that.
        Elías Corrado #corrado: I'd have sold it for industry if anyone had asked. The dock faces the wrong way for modern trucks, and the rail spur was taken up.
        Béland #jobs: Once we give up industrial land, we don't get it back. We have nineteen acres left of it in the whole city.
        Fonseca #homes: And we've built eleven homes in four years. The clinic can't hire a nurse, because there's nowhere to rent.
        Haugen #trucks: What would the traffic be, compared with the cannery when it ran?
        Wójcik #traffic: About the same over a day, and more of it in cars. The cannery had two hundred and forty people and a shift change. I'd ask for a left-turn lane when the plan comes in.
        Rigby #dust: I'm worried about putting homes next to the grain dryer. People will move in in March, and they'll call us in October.
        Fonseca: I move to recommend.
        Haugen: Second.
        Whitlock #casevote: Béland, no. Fonseca, aye. Haugen, aye. Rigby, no. And the chair is an aye. Three to two. It goes to the council with our recommendation.
        @3 | A day care on Orchard Lane
        Planner #daycare: Twelve children, weekdays from six thirty to five thirty. The state has inspected it. Staff would ask for a fence of five feet and for drop-off in the driveway, not on the lane.
        Simone Aubuchon #aubuchon: I'm the applicant. I have a list of nine families. Five of them drive to Larkmoor now.
        Béland: Is the fence a hardship?
        Simone Aubuchon: No, sir. It's already ordered.
        Rigby: Then I move it with the two conditions.
        Béland: Second.
        Whitlock #daycarevote: All in favor? Five to nothing.
        @4 | Feather flags
        Planner #flags: We have twenty-two feather flags on Route 29, and the code has no word for them. Other towns allow one a business, for thirty days at a time.
        Haugen: Ask the businesses before we write anything.
        Planner: I'll have answers by {+56}.
        Whitlock: We're adjourned.`,
      misheard: { béland: "bell and", cannery: "canary", fonseca: "fun seca", larkmoor: "lark more" },
      transcripts: "both",
      briefing: `
        Commission splits 3-2 for homes and shops at the old cannery
        * Answers from businesses on feather flags are due by {+56}. #flags
        == The cannery
        The commission recommended the rezoning of the cannery to the council, three to two. #case #casevote
        The city has nineteen acres of industrial land left. #jobs
        Eleven homes were built in four years. #homes
        The owner will pay for a left-turn lane on Route 29. #traffic !unsupported
        == Orchard Lane
        A day care for twelve children was recommended, with a fence and drop-off in the driveway. #daycare #daycarevote`,
      recap: {
        headline: "Cannery rezoning recommended, 3-2",
        summary:
          "The commission recommended mixed use for the cannery on Route 29 by one vote, and a day care on Orchard Lane without dissent.",
        decisions: `
          2 | Recommended to the city council | 3-2 (Béland, Rigby no)
          3 | Recommended with conditions | 5-0`
      },
      agendaSummary: `
        2 | Whether the old cannery may become shops and homes.
        3 | Looking after twelve children in a house on Orchard Lane.`,
      clips: [
        { key: "land", title: "Industrial land or homes?", from: "jobs", to: "homes", item: "2", state: "proposal" }
      ]
    },
    {
      key: "cancelled-regular",
      weeks: 1,
      title: "Regular Meeting",
      cancelled: true,
      agenda: `
        1 | Call to order
        2 | Cancelled: no cases were filed by the deadline`
    },
    {
      key: "sign-code",
      weeks: 4,
      title: "Public Hearing on the Sign Code",
      agenda: `
        1 | Call to order
        2 | Public hearing: sign code | One feather flag a business, for thirty days in each quarter.
        3 | Case 14: plat of Begoña Acres | Four lots on Creamery Road.
        4 | Adjournment`,
      agendaSummary: `
        2 | How many flags a business may put out, and for how long.
        3 | Dividing a field on Creamery Road into four lots.`
    }
  ]
}
