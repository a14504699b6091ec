import type { AuthoredBody } from "../authoring.ts"

export const twoRiversSchoolBoard: AuthoredBody = {
  name: "Two Rivers School Board",
  kind: "school_board",
  places: ["pena-springs", "ostrander-ferry", "tamarack-county"],
  host: "tworiversschools.example",
  weekday: 2,
  at: "18:00",
  room: "Commons, Two Rivers Middle School, 5500 County Highway 4, Peña Springs",
  speakers: {
    Kjellberg: "President Astrid Kjellberg",
    Quintero: "Member Rubén Quintero",
    Bascombe: "Member Loretta Bascombe",
    Ames: "Member Porter Ames",
    Yilmaz: "Member Selin Yılmaz",
    Rourke: "Superintendent Daniel Rourke",
    Fairbank: "Business Manager Celeste Fairbank",
    Principal: "Principal Joanne Delacroix"
  },
  meetings: [
    {
      key: "ferry-elementary",
      weeks: -3,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order and roll call
        2 | Public comment
        3 | Enrollment and the future of Ferry Elementary | 94 pupils in six grades; options for the next two years. | Discussed
        4 | Shared kindergarten teacher: position | Half a day in Ostrander Ferry and half in Peña Springs. | Approved 4-1
        5 | Diesel for the buses | 18,000 gallons at a fixed price of $3.12. | Approved 5-0
        6 | Adjournment`,
      script: `
        @1
        Kjellberg: Good evening. We have all five members, and the largest crowd since we closed the pool. Thank you for coming.
        @2
        Kjellberg: Six cards. Three minutes each, please.
        Darlene Voss #voss: I drive bus 6. If you close Ferry Elementary, the first stop becomes six oh five in the morning. I have a kindergartner on that stop. I'd like you to ride it with me before you vote.
        Omar Haddad #haddad: I pay taxes in Peña Springs, and my daughter is in a room of twenty-nine. I don't want anybody's school closed. I want to know why one room has twenty-nine and another has eleven.
        @3 | Ninety-four pupils at Ferry Elementary
        Rourke #numbers: Ferry Elementary had one hundred and fifty-one pupils five years ago. It has ninety-four. Next fall we expect eighty-eight. I'm not recommending anything tonight.
        Fairbank #percost: It costs seventeen thousand one hundred dollars a pupil to run Ferry, and twelve thousand four hundred in Peña Springs. Most of the difference is the building, not the teachers.
        Ames #savings: If it closed, what would we save?
        Fairbank #saved: About four hundred and thirty thousand a year, less two more buses and a mortgage on three classrooms. I'd call it two hundred and fifty.
        Quintero #grades: What about keeping the first four grades there, and bringing the fifth and sixth here?
        Principal #two: That would leave me with two grades in a room. It's been done well. It takes two teachers who ask for it, not two who are told to.
        Yilmaz #promise: When the districts merged, people in Ostrander Ferry were told that the school would stay. It's in the minutes. I've read them.
        Bascombe #ten: It says for ten years, and that was fourteen years ago. I don't say that to be hard. I want us to quote it in full.
        Kjellberg #hearings: The board would like two hearings, one in each town, and a ride on bus 6. Can we have dates, Mr. Rourke?
        Rourke #dates: Ostrander Ferry on {+14}, and Peña Springs on {+28}.
        @4
        Rourke #teacher: It's one kindergarten teacher, mornings at Ferry and afternoons here. Mileage is on us.
        Ames: I'm a no while the building is in question.
        Kjellberg #teachervote: Bascombe, aye. Quintero, aye. Yılmaz, aye. Ames, no. The chair, aye. Four to one.
        @5
        Fairbank #diesel: Eighteen thousand gallons at three twelve, fixed. Last year we floated, and we paid three forty by February.
        Bascombe: Move approval.
        Kjellberg: All in favor? Five to nothing.
        @6
        Kjellberg: We're adjourned. Bus 6 leaves at five forty, for those who are coming.`,
      transcripts: "both",
      misheard: { quintero: "kin tarot", yılmaz: "ill mass", rourke: "rork", ferry: "fairy" },
      figures: [
        {
          key: "enrollment",
          title: "Pupils at Ferry Elementary",
          alt: "Line chart of pupils at Ferry Elementary: 151 five years ago, then 143, 129, 117, 102 and 94 this year; 88 are expected next fall.",
          mark: "line",
          x: "School year",
          y: "Pupils",
          values: [
            ["Year -5", 151],
            ["Year -4", 143],
            ["Year -3", 129],
            ["Year -2", 117],
            ["Year -1", 102],
            ["This year", 94],
            ["Next year", 88]
          ]
        },
        {
          key: "per-pupil",
          title: "Yearly cost of a pupil, by school",
          alt: "Bar chart in dollars: Ferry Elementary 17,100, Peña Springs Elementary 12,400.",
          mark: "bar",
          x: "",
          y: "Dollars a pupil",
          values: [
            ["Ferry", 17100],
            ["Peña Springs", 12400]
          ]
        }
      ],
      briefing: `
        Two hearings before the board decides anything about Ferry Elementary
        * Hearings are set for Ostrander Ferry on {+14} and for Peña Springs on {+28}. #dates
        * A driver asked the board to ride bus 6, whose first stop could move to 6:05. #voss
        == Ferry Elementary %enrollment %per-pupil
        Ferry Elementary has 94 pupils, down from 151 five years ago. #numbers
        A pupil there costs $17,100 a year, against $12,400 in Peña Springs. #percost
        Closing it would save about $250,000 a year after buses and classrooms. #saved
        The Superintendent recommended closing the school. #numbers !contradicted
        The promise made at the merger was for ten years, and that was fourteen years ago. #promise #ten
        The building would be sold to the village. !unsupported
        == Other votes
        One kindergarten teacher will be shared by the two schools. #teacher #teachervote
        The district fixed the price of 18,000 gallons of diesel at $3.12. #diesel`,
      recap: {
        headline: "No decision on Ferry Elementary before two hearings",
        summary:
          "The board heard what Ferry Elementary costs and how few pupils it has, and set two hearings. It approved a shared kindergarten teacher and a fixed price for diesel.",
        decisions: `
          4 | Approved | 4-1 (Ames no)
          5 | Approved | 5-0`
      },
      agendaSummary: `
        3 | What could become of a school with 94 pupils.
        4 | One kindergarten teacher for two schools.
        5 | Fuel for the buses at a fixed price.`,
      clips: [
        {
          key: "promise",
          title: "What was promised, in full",
          from: "promise",
          to: "ten",
          item: "3",
          state: "proposal"
        },
        { key: "bus", title: "Ride bus 6 before you vote", from: "voss", to: "haddad", item: "2", state: "dismissed" }
      ]
    },
    {
      key: "first-hearing",
      weeks: -1,
      title: "Public Hearing in Ostrander Ferry",
      agenda: `
        1 | Call to order
        2 | Public hearing: Ferry Elementary | In the school's gym. Options A, B and C, with their costs and bus times.
        3 | Adjournment`
    },
    {
      key: "audit",
      weeks: -16,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Annual audit | One finding: two people should sign for activity fund deposits. | Accepted 5-0
        3 | Bus purchase | Two buses of 71 seats at $139,450 each, one with a lift. | Approved 5-0
        4 | Handbook changes | Attendance and parking. | Approved 5-0`,
      agendaSummary: `
        2 | What the auditors found.
        3 | Two new school buses.`,
      recap: {
        headline: "Clean audit with one finding",
        summary: "The board accepted the audit and bought two buses, one of them with a wheelchair lift.",
        decisions: `
          2 | Accepted | 5-0
          3 | Approved | 5-0
          4 | Approved | 5-0`
      }
    },
    {
      key: "second-hearing",
      weeks: 2,
      title: "Public Hearing in Peña Springs",
      agenda: `
        1 | Call to order
        2 | Public hearing: Ferry Elementary | Options A, B and C, with their costs and bus times.
        3 | Adjournment`,
      agendaSummary: `2 | Anyone may speak about the future of Ferry Elementary. No vote is taken.`
    }
  ]
}
