import type { AuthoredBody } from "../authoring.ts"
import { waterMainEmergency, waterRates } from "./larkmoor-water.ts"

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
    waterMainEmergency,
    waterRates,
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
