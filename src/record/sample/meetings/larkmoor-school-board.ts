import type { AuthoredBody } from "../authoring.ts"

export const larkmoorSchoolBoard: AuthoredBody = {
  name: "Larkmoor School Board",
  kind: "school_board",
  places: ["larkmoor"],
  retired: ["larkmoor-board-of-education"],
  host: "larkmoorschools.example",
  weekday: 1,
  at: "18:30",
  room: "Library, Larkmoor High School, 900 Prospect Avenue, Larkmoor",
  speakers: {
    Fiske: "President Renata Fiske",
    Secretary: "Board Secretary Joyce Adair",
    Dabrowski: "Member Leon Dabrowski",
    Núñez: "Member Gabriela Núñez",
    Oyelaran: "Member Tunde Oyelaran",
    Pickett: "Member Shelby Pickett",
    Sandoval: "Member Rafael Sandoval",
    Tillman: "Member Hugh Tillman",
    Marsh: "Superintendent Colleen Marsh",
    Buckner: "Transportation Director Ray Buckner",
    Thornquist: "Business Manager Ivy Thornquist",
    Weller: "Facilities Director Anton Weller"
  },
  meetings: [
    {
      key: "bus-drivers",
      weeks: -1,
      title: "Special Meeting",
      at: "17:00",
      agenda: `
        1 | Call to order and roll call
        2 | Bus drivers: starting wage | Raises the starting wage of a bus driver from $19.40 to $22.00 an hour. | Approved 5-1
        3 | Adjournment`,
      script: `
        @1
        Fiske #open: Good evening. This is a special meeting of the Larkmoor School Board, and it's about buses. Six of us are here. Mr. Tillman is excused.
        @2 | Two bus routes without a driver
        Buckner #short: We run twenty-three routes, and we have twenty-one drivers. Routes 9 and 14 have been doubled up since the fall. On a bad morning, forty-four children get to school after the bell.
        Núñez #ride: What is the longest ride on Route 14 now?
        Buckner #longest: Fifty-eight minutes, for two families out on Heron Road. Our own policy says forty-five.
        Pickett #pay: What do we pay, and what do the people around us pay?
        Buckner #rates: We start at nineteen forty an hour. Two Rivers starts at twenty-two. The county starts a plow driver at twenty-four ten. I've lost three drivers since spring.
        Thornquist #cost: Twenty-two for everyone costs sixty-eight thousand dollars for the rest of the year. The transportation fund can carry that this year. It can't next year without a transfer.
        Dabrowski #bonus: Then I'd rather call it a bonus. A wage doesn't come back down.
        Oyelaran #motion: A bonus is gone by June, and so is the driver. I move a starting wage of twenty-two dollars from {+7}.
        Sandoval: Second.
        Secretary #vote: Dabrowski, no. Núñez, aye. Oyelaran, aye. Pickett, aye. Sandoval, aye. Fiske, aye. It carries, five to one.
        Marsh #letter: Families on both routes will get a letter this week. We expect to run them separately again by {+21}.
        @3
        Fiske #close: Thank you, Ray. We're adjourned.`,
      recorded: true,
      transcripts: "both",
      misheard: {
        núñez: "noon yes",
        oyelaran: "oh yell a run",
        dabrowski: "the brow ski",
        sandoval: "sand oval",
        heron: "herring"
      },
      figures: [
        {
          key: "wages",
          title: "Starting wage of a driver",
          alt: "Bar chart in dollars an hour: Larkmoor schools $19.40, Two Rivers schools $22.00, county plow drivers $24.10.",
          mark: "bar",
          x: "",
          y: "Dollars an hour",
          values: [
            ["Larkmoor schools", 19.4],
            ["Two Rivers schools", 22],
            ["County plows", 24.1]
          ]
        }
      ],
      briefing: `
        Bus drivers to start at $22 an hour as two routes go without one
        * Routes 9 and 14 are expected to run separately again by {+21}. #letter
        * The money for it is there for this year only. #cost
        == The drivers' wage %wages
        The board raised the starting wage to $22.00 an hour from {+7}, by five to one. #motion #vote
        Two Rivers starts at $22.00, and Larkmoor has lost three drivers since spring. #rates
        The raise costs $68,000 for the rest of the year. #cost
        The transportation fund can carry the raise next year as well. #cost !contradicted
        == Rides
        Doubled routes bring 44 children to school late on a bad morning. #short
        The longest ride on Route 14 is 58 minutes, where the policy allows 45. #longest`,
      recap: {
        headline: "A higher wage for bus drivers",
        summary:
          "With two routes short of a driver, the board raised the starting wage to $22.00 an hour. The two routes should be separate again by {+21}.",
        decisions: `2 | Approved | 5-1 (Dabrowski no, Tillman absent)`
      },
      agendaSummary: `2 | Paying bus drivers more, so that two routes get their own driver back.`,
      clips: [
        {
          key: "late",
          title: "Forty-four children after the bell",
          from: "short",
          to: "longest",
          item: "2",
          state: "published"
        },
        { key: "wage", title: "What a driver is paid", from: "pay", to: "cost", item: "2", state: "published" },
        {
          key: "bonus",
          title: "A bonus or a wage?",
          from: "bonus",
          to: "motion",
          item: "2",
          state: "proposal"
        },
        { key: "vote", title: "The vote on the wage", from: "vote", to: "letter", item: "2", state: "dismissed" },
        {
          key: "rates",
          title: "Three drivers lost since spring",
          from: "rates",
          to: "bonus",
          item: "2",
          state: "alternate"
        }
      ]
    },
    {
      key: "lincoln-roof",
      weeks: -8,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and pledge
        2 | Consent agenda | Minutes, bills of $611,902.44, and two resignations. | Approved 7-0
        3 | Public comment
        4 | Lincoln School: roof | Bids for 31,000 square feet; the low bid is $538,700. | Awarded 6-1
        5 | Phones in class: first reading | Policy 7.190: phones in a locker or pouch from the first bell to the last. | First reading
        6 | Adjournment`,
      script: `
        @1
        Fiske: Good evening. All seven members are present. Please stand for the pledge.
        @2
        Pickett: Move the consent agenda.
        Tillman: Second.
        Fiske: All in favor? Opposed? Approved.
        @3
        Fiske: We have one card.
        Laverne Duffy #duffy: My grandson has a monitor for his blood sugar that talks to his phone. I'm not against your policy. I only want it written down that his phone isn't what you mean.
        @4 | The roof of Lincoln School
        Weller #roof: The roof on Lincoln is twenty-six years old, on a twenty-year warranty. We put out fourteen buckets after the storm in May. Three bids, and the low one is five hundred thirty-eight thousand seven hundred.
        Dabrowski #patch: What does it cost to patch it for another three years?
        Weller #patchcost: About ninety thousand, and the insulation under it is already wet. I'd be putting a lid on a sponge.
        Thornquist #fund: The life safety fund has six hundred and twelve thousand in it. This would leave seventy-three.
        Tillman #sequence: And if the boiler at the high school goes in January, we have seventy-three thousand for it. I'll be a no for that reason.
        Sandoval: I move to award the low bid.
        Núñez: Second.
        Secretary #roofvote: Dabrowski, aye. Núñez, aye. Oyelaran, aye. Pickett, aye. Sandoval, aye. Tillman, no. Fiske, aye. Six to one.
        @5 | Phones in class
        Marsh #phones: The draft says phones are put away from the first bell to the last. Forty-one of our teachers asked for it. The exceptions are a health plan, a special education plan, or a language aid.
        Oyelaran #medical: Does that cover the monitor Mrs. Duffy spoke of?
        Marsh #covers: It does, if the nurse has the plan on file. I'll have it say so in plain words for the second reading.
        Pickett #lunch: I'd leave lunch to the high school. A student who works after school uses lunch to find out when.
        Fiske #reading: That's a first reading, so there's no vote. It comes back on {+28}.
        @6
        Fiske: We're adjourned at seven fifty.`,
      briefing: `
        Lincoln School gets a new roof; phone rule gets a first reading
        * The phone policy comes back for a vote on {+28}. #reading
        == Lincoln School
        The board awarded the roof of Lincoln School for $538,700, six to one. #roof #roofvote
        Patching it would cost about $90,000, over insulation that is already wet. #patchcost
        The life safety fund is left with about $73,000. #fund
        The contractor will finish before winter break. !unsupported
        == Phones
        Phones would be put away from the first bell to the last, with an exception for a health plan. #phones
        The board adopted the phone policy. #reading !contradicted`,
      recap: {
        headline: "New roof for Lincoln School",
        summary:
          "The board awarded a roof for Lincoln School to the low bidder and heard a first reading of a policy on phones in class.",
        decisions: `
          2 | Approved | 7-0
          4 | Awarded | 6-1 (Tillman no)
          5 | First reading`
      },
      clips: [
        {
          key: "patch",
          title: "Patch the roof or replace it?",
          from: "roof",
          to: "patchcost",
          item: "4",
          state: "proposal"
        }
      ]
    },
    {
      key: "school-calendar",
      weeks: -60,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | School calendar | First day on a Wednesday in August, 176 days with pupils. | Adopted 4-3
        3 | Milk and bread: award of bids | Annual award, with a price that follows the federal index. | Approved 7-0`,
      script: `
        @1
        Fiske: The board is in order with seven members.
        @2 | When school begins
        Marsh #calendar: There are two versions. A begins in the middle of August and ends before Memorial Day. B begins a week later and ends in June. Teachers preferred A, sixty-two percent to thirty-eight.
        Tillman #fair: The county fair is the week that A begins. I have a hundred and ten pupils with animals in it.
        Oyelaran: Could those days be excused?
        Marsh #excused: They can, for 4-H and for the vocational chapter. We did it two years ago.
        Secretary #calvote: On version A: Dabrowski, no. Núñez, aye. Oyelaran, aye. Pickett, no. Sandoval, aye. Tillman, no. Fiske, aye. Four to three.
        @3
        Thornquist: Milk is up four cents a carton. Bread is unchanged.
        Pickett: Move to approve.
        Núñez: Second.
        Fiske: All in favor? Seven to nothing. We're adjourned.`
    },
    {
      key: "next-regular",
      weeks: 2,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and pledge
        2 | Consent agenda
        3 | Public comment
        4 | Bus routes 9 and 14 | Report of the Transportation Director on applications and on arrival times.
        5 | Levy: estimate | The estimate must be given 20 days before the levy is adopted.
        6 | Winter sports: fees | Proposes $45 a sport, with no fee where lunch is free.
        7 | Adjournment`,
      agendaSummary: `
        4 | Whether the two doubled bus routes have drivers yet.
        5 | How much the district will ask for in property tax.
        6 | What a family pays for a winter sport.`
    }
  ]
}
