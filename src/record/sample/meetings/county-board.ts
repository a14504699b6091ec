import type { AuthoredBody } from "../authoring.ts"

export const countyBoard: AuthoredBody = {
  name: "Tamarack County Board",
  kind: "county_board",
  places: ["tamarack-county"],
  host: "tamarackcounty.example",
  weekday: 4,
  at: "18:30",
  room: "Board Room, Tamarack County Courthouse, 1 Court Square, Larkmoor",
  speakers: {
    Ostrowski: "Chair Marian Ostrowski",
    Clerk: "County Clerk Theo Lindqvist",
    Abernathy: "Member Lyle Abernathy",
    Okafor: "Member Ngozi Okafor",
    Trent: "Member Wade Trent",
    Villaseñor: "Member Inés Villaseñor",
    Pruitt: "Member Dot Pruitt",
    Halvorsen: "Zoning Administrator Beth Halvorsen",
    Castellan: "State's Attorney Roy Castellan",
    Mbeki: "EMS Director Sarah Mbeki"
  },
  meetings: [
    {
      key: "wind-setbacks",
      weeks: -3,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Approval of the minutes | Minutes of the regular meeting of {-28}. | Approved 5-0
        3 | Public comment | Three minutes a speaker.
        4 | Ordinance {year}-07: setbacks for wind energy facilities | Amends Chapter 154 of the County Code. Raises the setback of a turbine from a participating residence, sets a shadow flicker limit of 30 hours a year, and requires a decommissioning bond before a building permit. | Adopted as amended 4-1
        5 | Road use agreement with Prairie Sail Energy LLC | Terms for hauling on County Highways 4 and 11 and for putting them back. | Laid over to {+28}
        6 | Adjournment`,
      script: `
        @1
        Ostrowski: Good evening. It is six thirty, and I'll call the Tamarack County Board to order. Mr. Clerk, the roll, please.
        Clerk: Abernathy.
        Abernathy: Here.
        Clerk: Okafor.
        Okafor: Present.
        Clerk: Pruitt. Trent. Villaseñor.
        Pruitt: Here.
        Trent: Here.
        Villaseñor: Here.
        Clerk: And the chair makes six. You have a quorum.
        @2
        Pruitt: Move to approve the minutes of {-28} as mailed.
        Okafor: Second.
        Ostrowski: All in favor say aye. Opposed? The minutes are approved.
        @3
        Ostrowski: We have two cards on the wind ordinance. Mr. Dunmore, you have three minutes.
        Gil Dunmore #dunmore: Thank you. I farm four hundred and eighty acres off County Highway 11. I signed a lease with Prairie Sail because two turbines pay about what a bad corn year costs me. If you double the setback, one of those two goes away. I'd ask you to keep the participating landowner's right to decide about his own house.
        Ruth Ann Sweeney #sweeney: I live across the road from Mr. Dunmore, and I didn't sign anything. Nobody offered me anything either. I'm asking for the thirty hours of flicker to be measured at my kitchen window, not averaged over a square mile. That's all.
        @4 | Wind setbacks: the debate
        Halvorsen #proposal: Madam Chair, the draft does three things. It moves the setback from a participating house from one point one times the tip height to one and a half. It keeps the non-participating line at two point one. And no building permit issues until a decommissioning bond is on file, reviewed every five years.
        Trent #statelaw: Can we even do that? I thought the state took siting away from us.
        Castellan #castellan: The state set the outer limits, Mr. Trent. We may not be more restrictive than two point one times for a non-participating residence. For participating ones, the statute lets a county ask for one point one, and the owner can waive it. So one and a half would be challenged, in my opinion, and we'd likely lose.
        Abernathy: Then why is it in front of us?
        Halvorsen: Because the planning committee voted it out four to three, and my job is to bring you what they voted.
        Villaseñor #amendment: Then I'll move to amend. Strike one and a half, put one point one back, and put the flicker test where Mrs. Sweeney asked for it: thirty hours a year at any window of an occupied house.
        Okafor: Second the amendment.
        Trent #trent: I'll vote against it. People out there elected me to slow this down, and one point one is not slow.
        Abernathy #bond: I can live with the setback if the bond stays. I've seen what's left when a company folds. What's the bond, Beth?
        Halvorsen #bondamount: The engineer's estimate for this project is one hundred and ten thousand dollars a turbine, and there are thirty-eight turbines. It's the full amount before salvage, not after.
        Ostrowski: On the Villaseñor amendment, Mr. Clerk.
        Clerk #amendvote: Abernathy, aye. Okafor, aye. Pruitt, aye. Trent, no. Villaseñor, aye. The amendment carries four to one.
        Ostrowski: And on the ordinance as amended, the same roll call? Hearing no objection.
        Clerk #vote: Four ayes, one nay. Ordinance {year}-07 is adopted as amended.
        @5 | The road use agreement
        Abernathy #roads: I'd like this laid over. The agreement says they'll restore the road to its condition before hauling, but nobody has been out to video the road before hauling. Without that, we're arguing from memory.
        Halvorsen: The highway department can have Highways 4 and 11 filmed in three weeks.
        Abernathy: Then I move we lay it over to {+28}.
        Pruitt: Second.
        Ostrowski #laidover: All in favor? Any opposed? It's laid over to {+28}.
        @6
        Ostrowski: If there's nothing else, we are adjourned at seven forty. Thank you all.`,
      transcripts: "both",
      misheard: {
        villaseñor: "via senior",
        okafor: "oak for",
        tamarack: "tamer rack",
        ostrowski: "o strow ski",
        flicker: "flickr",
        abernathy: "aber nathie"
      },
      briefing: `
        County keeps state setback for wind turbines, adds a flicker test at the window
        * The road agreement with Prairie Sail comes back on {+28}, after the highways have been filmed. #laidover
        * A setback above the state's figure would probably not have survived in court, the State's Attorney said. #castellan
        == Wind turbine rules
        The board adopted Ordinance {year}-07 by four to one after striking a larger setback from houses whose owners lease land. #vote #amendment
        Shadow flicker may not exceed 30 hours a year at any window of an occupied house. #amendment
        A bond of $110,000 a turbine must be on file before a building permit. #bondamount #proposal
        Prairie Sail has agreed to pay every household within a mile $2,000 a year. !unsupported
        == Roads
        The road use agreement was approved and hauling begins next month. #laidover !contradicted
        Members want County Highways 4 and 11 filmed before any truck uses them. #roads`,
      recap: {
        headline: "Wind rules adopted, road agreement waits",
        summary:
          "The board adopted new rules for wind energy with the setback the state allows, a flicker limit measured at the window and a full decommissioning bond. It put off the road use agreement to {+28}.",
        decisions: `
          2 | Approved | 5-0
          4 | Adopted as amended | 4-1 (Trent no)
          5 | Laid over to {+28} | Voice vote`
      },
      agendaSummary: `
        4 | How far a wind turbine must stand from a house, how much flicker its shadow may cast, and money set aside for taking it down.
        5 | What the wind company owes for the county highways its trucks will use.`,
      clips: [
        {
          key: "setback",
          title: "May the county ask for more than the state?",
          from: "statelaw",
          to: "castellan",
          item: "4",
          state: "proposal"
        },
        {
          key: "neighbours",
          title: "Two neighbors of Highway 11 on turbines",
          from: "dunmore",
          to: "sweeney",
          item: "3",
          state: "dismissed"
        },
        {
          key: "bond",
          title: "What it costs to take a turbine down",
          from: "bond",
          to: "bondamount",
          item: "4",
          state: "alternate"
        }
      ]
    },
    {
      key: "ambulance-levy",
      weeks: -7,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Ambulance service: staffing report | Response times and vacancies of the second quarter. | Received
        3 | Resolution {year}-31: ambulance levy question | Puts a levy of 0.12 percent for ambulance service to the voters. | Adopted 5-0
        4 | Appointment to the Mosquito Abatement District | Term of four years. | Approved 5-0`,
      script: `
        @1
        Ostrowski: The board will come to order. All members are here tonight.
        @2 | Ambulance staffing
        Mbeki #times: The median response in the county was eleven minutes and forty seconds last quarter. Inside Larkmoor it's six. West of the river it's nineteen, and that is the number that keeps me awake.
        Okafor: How many paramedics are you short?
        Mbeki #vacancies: Seven of thirty-one positions are open. We lost four to hospitals that pay nine dollars an hour more.
        @3 | The levy question
        Pruitt: What does point one two cost the owner of a house?
        Clerk #cost: On a house worth one hundred and fifty thousand dollars it comes to about sixty dollars a year.
        Abernathy: I'd rather ask people than guess. Move adoption.
        Villaseñor: Second.
        Clerk #levyvote: Five ayes. Resolution {year}-31 is adopted, and the question goes on the ballot.
        @4
        Ostrowski: The appointment of Paul Renner to the Mosquito Abatement District. Without objection, so ordered. We stand adjourned.`,
      recap: {
        headline: "Voters will decide on an ambulance levy",
        summary:
          "After hearing that an ambulance takes 19 minutes west of the river, the board put a levy for ambulance service on the ballot.",
        decisions: `
          3 | Adopted | 5-0
          4 | Approved | Without objection`
      }
    },
    {
      key: "next-regular",
      weeks: 1,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Public comment
        3 | Road use agreement with Prairie Sail Energy LLC | Continued from an earlier meeting, with the film survey of County Highways 4 and 11.
        4 | Courthouse roof: award of bid | Three bids were opened; the low bid is $486,200 from Hess and Sons Roofing.
        5 | Claims and adjournment`,
      agendaSummary: `
        3 | The wind company's duties on county highways, now with a film of their condition.
        4 | Who will put a new roof on the courthouse, and for how much.`
    },
    {
      key: "budget-hearing",
      weeks: 3,
      title: "Public Hearing on the Budget",
      at: "17:30",
      agenda: `
        1 | Call to order
        2 | Public hearing: budget of fiscal year {year+1} | The draft is in the County Clerk's office and on the county's website.
        3 | Adjournment`
    }
  ]
}
