import type { AuthoredMeeting } from "../authoring.ts"

/** The council pays for a broken main. */
export const waterMainEmergency: AuthoredMeeting = {
  key: "water-main-emergency",
  weeks: -1,
  title: "Special Meeting",
  at: "12:00",
  agenda: `
    1 | Call to order
    2 | Emergency repair of the Grange Street water main | Ratifies an emergency purchase order of $86,400 to Kessler Excavating. | Approved 5-0
    3 | Adjournment`,
  script: `
    @1
    Holloway #open: Good afternoon. This is a special meeting of the Larkmoor City Council, and it has one item. All five members are here.
    @2 | The water main on Grange Street
    Fitch #break: Thank you, Mayor. The sixteen-inch main under Grange Street broke at four in the morning. It was laid in 1931. We had forty homes and the hospital on low pressure until noon.
    Ellery #hospital: Did the hospital ever lose water altogether?
    Fitch #never: No, ma'am. They went to the north loop within twenty minutes.
    Fitch #cost: The emergency order is eighty-six thousand four hundred dollars. Kessler had a crew there by six.
    Brandt #spend: That's over the manager's limit, so I understand why we're here. I move to ratify it.
    Reyes: Second.
    Clerk #vote: Brandt, aye. Ellery, aye. Nakamura, aye. Reyes, aye. Stroud, aye. Five to nothing.
    Stroud #next: I want the list of every main that old before the next budget.
    Fitch #list: You'll have it by {+14}.
    @3
    Holloway #close: Then we're adjourned. Thank you, Dana, and please thank the crew.`,
  recorded: true,
  transcripts: "both",
  misheard: { kessler: "chesler", grange: "grains", larkmoor: "lark more", ellery: "celery", fitch: "fit" },
  briefing: `
    Council pays for the Grange Street water main: $86,400
    * A list of every water main of that age is promised by {+14}. #list
    == The break on Grange Street
    A main laid in 1931 broke at four in the morning and left 40 homes and the hospital on low pressure until noon. #break
    The hospital was without water for several hours. #never !contradicted
    The council ratified the emergency order of $86,400 by five to nothing. #cost #vote`,
  recap: {
    headline: "Emergency repair ratified",
    summary:
      "The council ratified $86,400 for the repair of the Grange Street main and asked for a list of mains as old.",
    decisions: `2 | Approved | 5-0`
  },
  agendaSummary: `2 | Paying for the repair of a broken water main, which could not wait for a regular meeting.`,
  clips: [
    {
      key: "what-broke",
      title: "What broke under Grange Street",
      from: "break",
      to: "never",
      item: "2",
      state: "published"
    },
    { key: "vote", title: "Council ratifies the repair", from: "cost", to: "vote", item: "2", state: "published" },
    { key: "list", title: "How many mains are that old?", from: "next", to: "list", item: "2", state: "proposal" }
  ]
}

/** The council raises its water rates. */
export const waterRates: AuthoredMeeting = {
  key: "water-rates",
  weeks: -2,
  title: "Regular Meeting",
  agenda: `
    1 | Call to order, pledge and roll call
    2 | Consent agenda | Minutes, payroll, and bills of $1,204,377.18. | Approved 5-0
    3 | Public comment
    4 | Ordinance 3318: water and sewer rates | Raises the base charge from $14.10 to $16.90 a month and the price of a thousand gallons by 6 percent in each of three years. | Passed on first reading 3-2
    5 | Resolution 2207: lead service line plan | Replacement of 1,140 lead lines in ten years, with a state loan. | Adopted 5-0
    6 | Mayor's and manager's reports
    7 | Adjournment`,
  script: `
    @1
    Holloway: Good evening, everyone. Please rise for the pledge. Thank you. Mr. Tully, the roll.
    Clerk: Brandt, Ellery, Nakamura, Reyes, Stroud. All present, Mayor.
    @2
    Nakamura: Move the consent agenda.
    Ellery: Second.
    Holloway: All in favor? Opposed? It's approved.
    @3
    Holloway: Two speakers tonight. Mr. Pell first.
    Harold Pell #pell: I'm on Social Security. My water bill was forty-one dollars, and now it'll be forty-seven, and next year fifty. I don't water a lawn. I'd like to know who this council thinks has an extra six dollars.
    Tanya Broussard #broussard: I run the laundromat on Fourth Street. Water is my second biggest bill after rent. If you raise it, say it now for all three years, so I can raise a wash by a quarter once instead of three times.
    @4 | Water rates: first reading
    Fitch #need: The water fund ran four hundred and ten thousand dollars short last year. We've put off painting the east tower twice. The rate study says that six percent a year for three years, with the new base charge, brings the fund back to even in the second year.
    Brandt #brandt: Six percent three times is not eighteen. It's nineteen. I want people to hear that. I'll vote no, because I asked for cuts first, and I haven't seen one.
    Bellamy #cuts: We did cut, Alderman. We left two plant operators' positions open, and we stopped contracting the meter reading. It saved two hundred and twelve thousand.
    Reyes #discount: What would it take to give seniors like Mr. Pell a lower base charge?
    Fitch #discountcost: If the nine hundred households that get the state's property tax relief kept the old base charge, it would cost the fund about thirty thousand dollars a year.
    Reyes #reyesmotion: Then I'd move to amend: the old base charge, fourteen ten, for those households.
    Nakamura: Second. Thirty thousand is a fair price for that.
    Clerk #amended: On the amendment: Brandt, no. Ellery, aye. Nakamura, aye. Reyes, aye. Stroud, aye. It carries four to one.
    Stroud #stroud: I voted for the amendment, and I'll vote against the ordinance. Put the tower in the capital budget and borrow for it. A tower lasts forty years, and a bill comes every month.
    Ellery #ellery: We've borrowed for towers before, and we're still paying for the last one. I'm a yes.
    Clerk #firstreading: Brandt, no. Ellery, aye. Nakamura, aye. Reyes, aye. Stroud, no. Ordinance 3318 passes on first reading, three to two.
    Holloway #second: The second reading is on {+14}, and there'll be public comment again before it.
    @5 | Lead service lines
    Fitch #lead: There are eleven hundred and forty lead lines that we know of. The plan takes the oldest blocks first, around Lincoln School. The state lends us the money at no interest for the first eight hundred.
    Ellery: Does a homeowner pay anything?
    Fitch #homeowner: Not for the line. They have to let us into the basement.
    Ellery: Move adoption.
    Clerk #leadvote: All five, aye. The resolution is adopted.
    @6
    Bellamy #leaf: One thing. Branch pickup starts on Monday on the west side, two weeks earlier than last year.
    @7
    Holloway: We're adjourned. Drive safely.`,
  transcripts: "both",
  misheard: {
    broussard: "brew sard",
    holloway: "hallway",
    nakamura: "naka mura",
    tully: "totally",
    larkmoor: "lark moor",
    stroud: "stroud",
    sewer: "sower"
  },
  figures: [
    {
      key: "bill",
      title: "Monthly water bill of 4,000 gallons",
      alt: "Bar chart of a monthly bill in dollars: now 41, first year 47, second year 50, third year 53.",
      mark: "bar",
      x: "",
      y: "Dollars a month",
      values: [
        ["Now", 41],
        ["First year", 47],
        ["Second year", 50],
        ["Third year", 53]
      ]
    }
  ],
  briefing: `
    Water rates pass first reading 3-2, with a lower charge for 900 households
    * The second and final reading is on {+14}, with public comment before it. #second
    * Lead lines around Lincoln School are to be replaced first. #lead
    * Increases of 6 percent in three years add up to 19 percent, not 18. #brandt
    == Water and sewer rates %bill
    The water fund was $410,000 short last year. #need
    By four to one the council kept the old base charge of $14.10 for about 900 households that get property tax relief. #amended #reyesmotion #discountcost
    The ordinance passed its first reading by three to two, with aldermen Brandt and Stroud against. #firstreading
    Neighboring cities charge up to a third more for water. !unsupported
    == Lead service lines
    The council adopted a plan to replace 1,140 lead lines, with an interest-free state loan for the first 800. #lead #leadvote
    Homeowners pay nothing for the line itself. #homeowner`,
  recap: {
    headline: "Higher water rates clear the first of two votes",
    summary:
      "The council passed higher water and sewer rates on first reading, kept the old base charge for households with property tax relief, and adopted a ten-year plan for lead lines.",
    decisions: `
      2 | Approved | 5-0
      4 | Passed on first reading as amended | 3-2 (Brandt, Stroud no)
      5 | Adopted | 5-0`
  },
  agendaSummary: `
    4 | Water would cost more in each of the next three years.
    5 | A plan to dig up every water line made of lead.`,
  clips: [
    {
      key: "seniors",
      title: "A lower charge for older residents",
      from: "discount",
      to: "amended",
      item: "4",
      state: "proposal"
    },
    { key: "comment", title: "What $6 a month means", from: "pell", to: "broussard", item: "3", state: "alternate" }
  ]
}
