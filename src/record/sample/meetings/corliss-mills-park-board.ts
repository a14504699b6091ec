import type { AuthoredBody } from "../authoring.ts"

export const corlissMillsParkBoard: AuthoredBody = {
  name: "Corliss Mills Park Board",
  kind: "other",
  places: ["corliss-mills"],
  host: "corlissmillsparks.example",
  weekday: 4,
  at: "17:30",
  room: "Shelter House, Dam Street Park, Corliss Mills",
  speakers: {
    Teague: "President Walter Teague",
    Ibarra: "Commissioner Sofía Ibarra",
    Nyquist: "Commissioner Karin Nyquist",
    Pope: "Commissioner Leroy Pope",
    Zielinski: "Commissioner Joan Zielinski",
    Director: "Park Director Emmett Sayles"
  },
  meetings: [
    {
      key: "mowing",
      weeks: -5,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Mowing: contract or crew | 64 acres in nine parks. Dunning Grounds Care quotes $48,600 a season. | Approved 3-2
        3 | Disc golf: request of the club | Nine baskets in the east woods. | Approved 5-0
        4 | Pool: close of the season | Attendance of 11,204, and a leak of 9,000 gallons a day. | Received
        5 | Adjournment`,
      script: `
        @1
        Teague: It's five thirty. The park board is in order, with all five present.
        @2 | Who mows sixty-four acres
        Director #mow: We mow sixty-four acres in nine parks. With our own crew it's fifty-seven thousand a season, counting fuel and the two mowers we wear out. Dunning Grounds Care quotes forty-eight six, every ten days.
        Zielinski #tendays: We mow every seven now. Ten days in May is a hay field.
        Director #may: They'd do seven days from the middle of April to the middle of June for another four thousand.
        Pope #crew: What becomes of the two seasonal people?
        Director #seasonal: They'd have the trees, the shelters and the ball fields. I've been three years behind on the trees.
        Nyquist #trees: That settles it for me. A limb came down at the swings in August.
        Ibarra #ibarra: I don't like giving it to one company for one season. If they do it badly, we've sold the mowers.
        Director: We'd keep the mowers for that season.
        Nyquist: I move the contract, with seven days in spring, and the mowers stay.
        Pope: Second.
        Teague #mowvote: Ibarra, no. Nyquist, aye. Pope, aye. Zielinski, no. And I'm an aye. Three to two.
        @3 | Disc golf in the east woods
        Kyle Amundsen #disc: We're a club of forty-six. We'd buy the nine baskets, and we'd cut nothing thicker than a broom handle.
        Zielinski #greenway: Hole 7 on your map crosses the greenway. I've walked it. A disc could come down on someone's head.
        Kyle Amundsen #turn: We can turn hole 7 around, so that it throws away from the greenway.
        Zielinski: Then I'm glad to move it.
        Ibarra: Second.
        Teague #discvote: In favor? Five to nothing.
        @4
        Director #pool: Eleven thousand two hundred and four visits, the best in six years. And we're losing nine thousand gallons a day. A camera in the return line costs twenty-two hundred. I'd do that before anything else.
        Teague: Do it. We don't need a vote at that price.
        @5
        Teague: Adjourned. Please take a chair in with you.`,
      figures: [
        {
          key: "mowing",
          title: "A season of mowing",
          alt: "Bar chart in dollars a season: own crew 57,000; contract every ten days 48,600; contract with seven days in spring 52,600.",
          mark: "bar",
          x: "",
          y: "Dollars a season",
          values: [
            ["Own crew", 57000],
            ["Contract, 10 days", 48600],
            ["Contract, 7 in spring", 52600]
          ]
        }
      ],
      unchecked: true,
      briefing: `
        Park mowing goes to a contractor for a season, 3-2
        * A camera will look for the pool's leak of 9,000 gallons a day. #pool
        == Mowing %mowing
        The board hired Dunning Grounds Care for a season, by three to two. #mow #mowvote
        Grass will be cut every seven days in spring, for another $4,000. #may
        The seasonal crew will work on trees, shelters and ball fields. #seasonal
        == East woods
        A disc golf course of nine baskets was approved, with one hole turned away from the greenway. #turn #discvote`,
      recap: {
        headline: "A contractor will mow the parks",
        summary:
          "The board hired a contractor to mow for one season and keeps its mowers. A club may put nine disc golf baskets in the east woods.",
        decisions: `
          2 | Approved, with seven days in spring | 3-2 (Ibarra, Zielinski no)
          3 | Approved | 5-0`
      }
    },
    {
      key: "ball-field-lights",
      weeks: -40,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Lights at Field 2 | Eight poles of LED lights at $96,500, half of it from the youth league. | Approved 4-1
        3 | Shelter fees | From $35 to $45 for residents. | Approved 5-0`,
      script: `
        @1
        Teague: The board is in order.
        @2 | Lights at Field 2
        Director #lights: Eight poles at ninety-six thousand five hundred. The youth league has raised half. Games would end at nine thirty, on a timer.
        Hannelore Brück #bruck: I live behind left field. A timer is fine, if nobody has the key to it.
        Director: I'd have the only key, and I go to bed at ten.
        Ibarra #shield: Can the two poles on her side be shielded?
        Director: Yes, for eleven hundred dollars. It's a good idea.
        Pope: I'd rather have the bathrooms first. I'll be a no.
        Teague #lightvote: With the shields: four to one. Approved.
        @3
        Zielinski: Shelters haven't gone up in twelve years. I move forty-five.
        Nyquist: Second.
        Teague: All in favor? Five to nothing.`
    },
    {
      key: "next-regular",
      weeks: 3,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Pool: result of the camera inspection
        3 | Mill Days: use of Dam Street Park | Tent, stage and generator of the volunteer fire company.
        4 | Adjournment`
    }
  ]
}
