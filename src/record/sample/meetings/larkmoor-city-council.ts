import type { AuthoredBody } from "../authoring.ts"

export const larkmoorCityCouncil: AuthoredBody = {
  name: "Larkmoor City Council",
  kind: "city_council",
  places: ["larkmoor"],
  host: "larkmoor.example",
  weekday: 2,
  at: "19:00",
  room: "Council Chambers, City Hall, 210 Grange Street, Larkmoor",
  speakers: {
    Holloway: "Mayor Grace Holloway",
    Clerk: "City Clerk Amos Tully",
    Brandt: "Alderman Curt Brandt",
    Ellery: "Alderwoman Josephine Ellery",
    Nakamura: "Alderman Paul Nakamura",
    Reyes: "Alderwoman Carmen Reyes",
    Stroud: "Alderman Vern Stroud",
    Fitch: "Public Works Director Dana Fitch",
    Bellamy: "City Manager Owen Bellamy",
    Chief: "Police Chief Lorna Haskins"
  },
  meetings: [
    {
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
    },
    {
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
    },
    {
      key: "bike-lanes",
      weeks: -4,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Consent agenda | Minutes and bills. | Approved 5-0
        3 | Mill Avenue: lanes and parking | Changes four lanes to three with bike lanes between Fourth Street and the river, and takes 22 of 96 parking spaces. | Approved 4-1
        4 | Liquor license, class B: The Grain Exchange | Tavern at 14 Court Square. | Approved 5-0
        5 | Executive session | Pending litigation, 5 ILCS 120/2(c)(11). | No action`,
      script: `
        @1
        Holloway: Come to order, please. Alderman Stroud is joining by phone tonight. Can you hear us, Vern?
        Stroud: Loud and clear, Mayor.
        @2
        Ellery: So moved on consent.
        Reyes: Second.
        Holloway: All in favor? That carries.
        @3 | Bike lanes on Mill Avenue
        Fitch #plan: The state is resurfacing Mill Avenue anyway. What we choose is the paint. Four lanes to three: one each way, one to turn, and five feet on both sides for bicycles. We counted eleven thousand cars a day. A three-lane street carries up to eighteen.
        Brandt #parking: And it takes twenty-two parking spaces.
        Fitch: It takes twenty-two of ninety-six, all on the river side.
        Walt Gessner #gessner: Gessner's Hardware, third generation. My customers carry out forty-pound bags of salt. They'll not carry them two blocks. I'm not against bicycles. I'm against losing the four spaces in front of my door.
        Priya Raman #raman: I ride to the hospital for the night shift. I've been hit once on Mill Avenue, at Fifth, by a mirror. I don't need a ribbon cutting, I need five feet.
        Nakamura #gessnerspaces: Could the four spaces by the hardware store stay as loading spaces?
        Fitch #loading: Yes. We'd shift the lane by four feet for half a block. It costs six thousand dollars in curb work.
        Nakamura #motion: I move approval with the four loading spaces kept.
        Ellery: Second.
        Stroud #crashes: What's the crash record there?
        Chief #crashcount: Sixty-three crashes in five years, Alderman, and nineteen with injuries. Most of them are someone turning left out of the inside lane.
        Brandt #brandtno: I'm a no. It's not the bicycles, it's that we'll find out in December with a plow.
        Clerk #vote: Brandt, no. Ellery, aye. Nakamura, aye. Reyes, aye. Stroud, aye. Four to one, approved.
        @4 | The Grain Exchange
        Holloway: A class B license for The Grain Exchange on the square. Chief, any objection?
        Chief: None, Mayor. Background checks are clean.
        Reyes: Move to approve.
        Ellery: Second, and I look forward to it.
        Clerk: Five ayes.
        @5
        Holloway: The council will go into executive session on pending litigation. We'll take no action afterwards. Good night to those at home.`,
      briefing: `
        Mill Avenue goes to three lanes with bicycle lanes, 4-1
        * Four spaces by the hardware store stay, as loading spaces. #motion
        == Mill Avenue
        The council approved three lanes with bike lanes between Fourth Street and the river by four to one. #vote #plan
        The street carries 11,000 cars a day; a street of three lanes can carry up to 18,000. #plan
        Police counted 63 crashes in five years, 19 of them with injuries. #crashcount
        The loading spaces cost $6,000 in curb work. #loading`,
      unchecked: true,
      recap: {
        headline: "Bike lanes approved on Mill Avenue",
        summary:
          "When the state resurfaces Mill Avenue, it will be striped for three lanes and bicycles, with loading spaces kept by the hardware store.",
        decisions: `
          3 | Approved with four loading spaces | 4-1 (Brandt no)
          4 | Approved | 5-0`
      },
      clips: [
        {
          key: "two-sides",
          title: "The hardware store and the night shift",
          from: "gessner",
          to: "raman",
          item: "3",
          state: "dismissed"
        }
      ]
    },
    {
      key: "tow-ordinance",
      weeks: -6,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Ordinance 3311: towing from private lots | Caps the fee at $145 and requires a sign in English and Spanish. | Passed 5-0
        3 | Sister Cities Committee: annual report | | Received`,
      script: `
        @1
        Holloway: We're in order, with all members present.
        @2 | Towing
        Reyes #tow: I brought this because of one lot behind the pharmacy, where eighty-one cars were towed in three months. The sign was behind a dumpster.
        Chief #towfee: The most anyone paid was three hundred and ninety dollars. The cap would be one forty-five, in line with what we pay for a police tow.
        Brandt: I don't often vote to set a price. But a hidden sign isn't a market.
        Clerk #towvote: Five ayes. Ordinance 3311 passes.
        @3
        Ellery: The sister city report is in your packets. Fourteen students went to Sankt Ulrich, and all fourteen came back.
        Holloway: That's the outcome we like. We're adjourned.`
    },
    {
      key: "zoning-appeal",
      weeks: -9,
      title: "Regular Meeting",
      transcripts: "raw",
      misheard: {
        brandt: "brand",
        holloway: "hollow way",
        reyes: "raise",
        nakamura: "knock a mirror",
        fitch: "which",
        larkmoor: "lark moore"
      },
      agenda: `
        1 | Call to order
        2 | Snow removal equipment | Purchase of two plow trucks at $412,800. | Approved 4-1
        3 | Appeal of a fence permit, 88 Willow Lane | | Denied 5-0`,
      script: `
        @1
        Holloway: The council is in order. Alderman Nakamura is on his way.
        @2 | Plow trucks
        Fitch: Two trucks with stainless boxes, four hundred and twelve thousand eight hundred dollars. The oldest one we have is from before Y2K, and the floor is plywood.
        Brandt: One truck this year and one next year. That's my motion.
        Stroud: It dies for lack of a second, Curt. I move both.
        Reyes: Second.
        Clerk: Four ayes and one nay. Both trucks are approved.
        @3 | A fence on Willow Lane
        Vera Lomax: The fence is seven feet because the neighbor's dog is six feet. I'm asking for one foot.
        Fitch: The code says six, and staff has denied eleven like it since the code was written.
        Ellery: I sympathize with the dog question, but eleven people were told no. Move to deny.
        Clerk: Five ayes. The appeal is denied.`
    },
    {
      key: "next-regular",
      weeks: 1,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Consent agenda
        3 | Public comment
        4 | Ordinance 3318: water and sewer rates | Second and final reading.
        5 | Mill Avenue curb work | Award to Kessler Excavating at $6,000 for four loading spaces.
        6 | Water mains laid before 1940 | Report of the Public Works Director.
        7 | Adjournment`,
      agendaSummary: `
        4 | The final vote on what water will cost.
        6 | How many water mains are as old as the one that broke.`
    },
    {
      key: "second-regular",
      weeks: 3,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Consent agenda
        3 | Public hearing: community development block grant
        4 | Adjournment`
    }
  ]
}
