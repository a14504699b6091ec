import type { AuthoredBody } from "../authoring.ts"

export const penaSpringsCityCouncil: AuthoredBody = {
  name: "Peña Springs City Council",
  kind: "city_council",
  places: ["pena-springs"],
  host: "penasprings.example",
  weekday: 1,
  at: "19:00",
  room: "Council Room, City Hall, 12 Spring Street, Peña Springs",
  speakers: {
    Barragán: "Mayor Lucía Barragán",
    Muñoz: "City Clerk Beatriz Muñoz",
    Achterberg: "Council Member Rosalind Achterberg",
    Ångström: "Council Member Nils Ångström",
    Purcell: "Council Member Deshawn Purcell",
    Zhou: "Council Member Mei-Lin Zhou",
    "O'Dell": "City Administrator Fergus O'Dell",
    Wójcik: "City Engineer Tomasz Wójcik"
  },
  meetings: [
    {
      key: "greenway-easement",
      weeks: -2,
      title: "Special Meeting",
      at: "17:30",
      agenda: `
        1 | Call to order
        2 | Spring Creek Greenway: easement at Mill Race Road | Buys an easement of 310 feet for $18,500. The state pays 80 percent of the path, up to $240,000. | Approved 3-1
        3 | Adjournment`,
      script: `
        @1
        Barragán #open: Good evening. This is a special meeting of the Peña Springs City Council. All four members are here, and there is one item, the greenway.
        @2 | The gap in the greenway
        Wójcik #gap: The Spring Creek Greenway is paved on both sides of Mill Race Road, and three hundred and ten feet are missing in between. The state pays eighty percent of building it if we hold the easement by {+21}.
        Purcell #share: What does that leave for us?
        Wójcik #sixty: Sixty thousand of three hundred thousand, and eighteen thousand five hundred for the easement itself.
        Ingrid Sørensen #owner: It's my hay field. I'll sign, but I want a gate I can get a baler through, fourteen feet wide, and I want the city to mow its own side.
        Achterberg #mowing: Who mows it today?
        O'Dell #parks: Nobody, since we don't own it. The park crew would add it to their Thursday route. It's about forty minutes a week.
        Ångström #against: I'll be voting no. We have eleven blocks with no sidewalk at all, and children on them. Sixty thousand dollars would do three.
        Zhou #for: The grant can't build a sidewalk. If we turn it down, it goes to another town. I move we buy the easement, with the gate.
        Purcell: Second.
        Muñoz #vote: Achterberg, aye. Ångström, no. Purcell, aye. Zhou, aye. Three to one.
        Barragán #next: I'd like those eleven blocks on paper before we do the budget. Mr. Wójcik?
        Wójcik #list: You'll have them by {+28}, with a price for each.
        @3
        Barragán #close: Thank you all. We're adjourned.`,
      recorded: true,
      transcripts: "both",
      misheard: {
        peña: "pain a",
        ångström: "angstrom",
        wójcik: "voy chick",
        greenway: "green way",
        baler: "bailer"
      },
      figures: [
        {
          key: "cost",
          title: "Who pays for the missing 310 feet",
          alt: "Bar chart in dollars: state grant 240,000, city share of construction 60,000, easement 18,500.",
          mark: "bar",
          x: "",
          y: "Dollars",
          values: [
            ["State grant", 240000],
            ["City, construction", 60000],
            ["City, easement", 18500]
          ]
        }
      ],
      briefing: `
        Council buys the last 310 feet of the Spring Creek Greenway
        * A priced list of eleven blocks without a sidewalk is promised by {+28}. #list #next
        == The greenway at Mill Race Road %cost
        The council bought an easement to close the gap in the greenway, three to one. #for #vote
        The state pays 80 percent of the path if the city holds the easement by {+21}. #gap
        The city's share is $60,000 of construction and $18,500 for the easement. #sixty
        The owner of the field gets a gate fourteen feet wide. #owner #for
        The path is expected to open next summer. !unsupported
        == Sidewalks
        Council Member Ångström voted no, because eleven blocks have no sidewalk. #against #vote
        The grant could be spent on sidewalks instead. #for !contradicted`,
      recap: {
        headline: "Greenway easement bought, 3-1",
        summary:
          "The council bought an easement across a hay field, so that a state grant can close the gap in the Spring Creek Greenway at Mill Race Road.",
        decisions: `2 | Approved, with a gate of 14 feet | 3-1 (Ångström no)`
      },
      agendaSummary: `2 | Buying a strip of a hay field to join two ends of the greenway.`,
      clips: [
        { key: "gap", title: "What the greenway lacks", from: "gap", to: "sixty", item: "2", state: "published" },
        {
          key: "debate",
          title: "Council debates the greenway",
          from: "against",
          to: "vote",
          item: "2",
          state: "published"
        },
        { key: "field", title: "A gate for the baler", from: "owner", to: "parks", item: "2", state: "published" },
        {
          key: "blocks",
          title: "Eleven blocks without a sidewalk",
          from: "next",
          to: "list",
          item: "2",
          state: "dismissed"
        },
        {
          key: "greenway",
          title: "The greenway, for and against",
          from: "against",
          to: "for",
          item: "2",
          state: "alternate"
        }
      ]
    },
    {
      key: "cannery-rezoning",
      weeks: -6,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Consent agenda | Minutes, bills of $188,340.07, and a street closing for the parish supper. | Approved 4-0
        3 | Ordinance {year}-19: rezoning of the cannery, 400 Route 29 | From light industrial to mixed use, 6.2 acres. | Tabled 3-1
        4 | Liquor license: Cantina Ibáñez, 31 Spring Street | Class C, beer and wine with meals. | Approved 4-0
        5 | Salt for the winter | 220 tons through the state's contract at $81.16 a ton. | Approved 4-0
        6 | Adjournment`,
      script: `
        @1
        Barragán: Good evening. Ms. Muñoz, the roll.
        Muñoz: Achterberg, Ångström, Purcell, Zhou. Four present, Mayor.
        @2
        Purcell: I move the consent agenda.
        Zhou: Second.
        Barragán: In favor? Opposed? Approved.
        @3 | Rezoning the old cannery
        O'Dell #rezoning: This is the rezoning of the cannery on Route 29, six point two acres, from light industrial to mixed use. The planning commission recommended it three to two. The owner has a buyer who wants shops in front and thirty-six apartments behind.
        Elías Corrado #owner: My family closed the cannery in 2009. I've had four people look at it for industry since, and none of them came back. I have one who wants to build homes.
        Patrice Lemke #lemke: I'm on Tin Street, behind the loading dock. It floods to my steps now. Thirty-six roofs and a parking lot will not help it.
        Achterberg #water: Has anyone worked out where the water goes?
        Wójcik #basin: Not yet. The code doesn't ask for a stormwater plan until there's a building permit. I could have a first calculation in a month, if the owner shares the survey.
        Ångström #wait: I'm for the apartments. I'd like to know about Tin Street before I vote, and not after.
        Zhou #now: The buyer's option runs out in sixty days. The rezoning doesn't approve a single roof. The plan has to come back to us.
        Ångström: I move to table it for six weeks, for the calculation.
        Purcell: Second.
        Muñoz #tabled: To table: Achterberg, aye. Ångström, aye. Purcell, aye. Zhou, no. Three to one.
        @4
        O'Dell #license: The liquor license is for Cantina Ibáñez, beer and wine with meals. The police report is clean, and the fee of seven hundred and fifty dollars is paid.
        Achterberg: Move to approve.
        Zhou: Second.
        Muñoz: Four ayes.
        @5
        O'Dell #salt: Salt is eighty-one sixteen a ton, up three dollars. We used a hundred and ninety tons last winter, and we have forty left in the shed.
        Purcell: Then why two hundred and twenty?
        O'Dell: The contract makes us take eighty percent of what we order. It's the safe number.
        Muñoz: Four ayes on the salt.
        @6
        Barragán: We stand adjourned.`,
      transcripts: "both",
      misheard: { ibáñez: "even yes", cannery: "canary", zhou: "joe", achterberg: "actor berg" },
      briefing: `
        Cannery rezoning waits six weeks for a look at Tin Street's flooding
        * The buyer's option on the cannery runs out in sixty days. #now
        == The cannery
        The council tabled the rezoning of 6.2 acres on Route 29 by three to one. #rezoning #tabled
        The plan is for shops and 36 apartments. #rezoning
        Neighbors on Tin Street say that water already reaches their steps. #lemke
        The city engineer has finished a stormwater plan. #basin !contradicted
        == Licenses and salt
        Cantina Ibáñez may serve beer and wine with meals. #license
        The city ordered 220 tons of salt at $81.16 a ton. #salt`,
      recap: {
        headline: "Rezoning of the cannery tabled",
        summary:
          "The council put off the rezoning of the cannery for six weeks to learn where its water would go, and granted a liquor license to Cantina Ibáñez.",
        decisions: `
          2 | Approved | 4-0
          3 | Tabled for six weeks | 3-1 (Zhou no)
          4 | Approved | 4-0
          5 | Approved | 4-0`
      }
    },
    {
      key: "next-regular",
      weeks: 1,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Consent agenda
        3 | Ordinance {year}-19: rezoning of the cannery, 400 Route 29 | Taken from the table, with the City Engineer's calculation of runoff toward Tin Street.
        4 | Public hearing: annual appropriation | The draft is at City Hall and at the library.
        5 | Clean-up week: hauling | Two quotes for fourteen roll-off containers.
        6 | Adjournment`,
      agendaSummary: `
        3 | Whether shops and apartments may stand where the cannery was.
        4 | The most the city may spend next year.`
    }
  ]
}
