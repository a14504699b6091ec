import type { AuthoredBody } from "../authoring.ts"

export const countyFinanceCommittee: AuthoredBody = {
  name: "Tamarack County Finance Committee",
  kind: "committee",
  places: ["tamarack-county"],
  host: "tamarackcounty.example",
  weekday: 3,
  at: "16:00",
  room: "Room 204, Tamarack County Courthouse, Larkmoor",
  speakers: {
    Okafor: "Chair Ngozi Okafor",
    Pruitt: "Member Dot Pruitt",
    Abernathy: "Member Lyle Abernathy",
    Whitfield: "Finance Director Jonah Whitfield",
    Serrano: "Sheriff Delia Serrano",
    Lindqvist: "County Clerk Theo Lindqvist"
  },
  meetings: [
    {
      key: "draft-budget",
      weeks: -2,
      title: "Budget Work Session",
      agenda: `
        1 | Call to order
        2 | Draft budget of fiscal year {year+1} | General fund of $41.8 million, $1.3 million more than it takes in. | Discussed
        3 | Sheriff: jail medical contract | Renewal with Midland Correctional Health at $912,000. | Recommended 3-0
        4 | Election equipment reserve | Transfer of $140,000 from contingency. | Recommended 2-1
        5 | Adjournment`,
      script: `
        @1
        Okafor: It's four o'clock. Committee's all here: Pruitt, Abernathy and me. This is a work session, so we'll talk first and vote where we have to.
        @2 | A gap of $1.3 million
        Whitfield #gap: Page two is the page. The general fund as requested is forty-one point eight million dollars. We expect to take in forty point five. So the gap, as it sits today, is one point three million.
        Pruitt: What was it at this point last year?
        Whitfield #lastyear: Six hundred thousand, and we closed it with vacancies. I can't do that again, because we filled them.
        Abernathy #where: Show me where the growth is. Not by department. By reason.
        Whitfield #reasons: Three reasons. Health insurance is up eleven percent, that's seven hundred and forty thousand. The jail medical contract is up one hundred and sixty. And the union contracts settled at three and a quarter, which is the rest.
        Abernathy: So none of it is anything new.
        Whitfield #nothingnew: Nothing new at all, sir. It's the price of what we already do.
        Okafor: What are the choices?
        Whitfield #choices: You can take the levy to the cap, which brings nine hundred thousand. You can spend down the reserve from five months to four. Or you can hold eleven positions open. I would not do the third; we tried it, and overtime ate most of it.
        Pruitt #reserve: Our own policy says four months is the floor.
        Whitfield: Four months is the floor. We'd be standing on it.
        Abernathy #halfhalf: Bring us a version that takes half from the levy and half from the reserve, and show me what it does in the second year. I don't want to fix one year by breaking the next.
        Okafor #direction: Is that the sense of the committee? All right. Jonah, half and half, with a second year, by {+14}.
        @3 | Medical care in the jail
        Serrano #jail: We booked two thousand three hundred people last year. Six in ten came in with a prescription or needed one. I can't run that with one nurse, and the state inspector said as much in writing.
        Pruitt: Is nine hundred and twelve the lowest?
        Serrano #bids: It's the only one. We advertised twice, and a single company answered.
        Abernathy: Then I don't see what we'd gain by waiting. Move to recommend.
        Pruitt: Second.
        Okafor #jailvote: All in favor? That's three ayes. It goes to the board.
        @4 | Election equipment
        Lindqvist #tabulators: The tabulators are fourteen years old. The vendor stops making the ballot boxes' batteries next year. I'm asking to put one hundred and forty thousand aside now, so that I don't ask for four hundred thousand at once.
        Abernathy #no: With a gap on page two, I can't take anything out of contingency today. I'll be a no.
        Okafor: Dot?
        Pruitt: I'm an aye. Batteries don't care about our gap.
        Okafor #electionvote: And I'm an aye, so it's recommended two to one.
        @5
        Okafor: We're adjourned. Thank you, Jonah. Bring coffee on the {+14} one.`,
      transcripts: "both",
      misheard: {
        serrano: "serano",
        lindqvist: "lynn quist",
        tabulators: "tabulaters",
        okafor: "oak a four",
        jonah: "joan a"
      },
      figures: [
        {
          key: "gap",
          title: "General fund, as requested and as expected",
          alt: "Bar chart in millions of dollars: expected revenue 40.5, requested spending 41.8, a gap of 1.3.",
          mark: "bar",
          x: "",
          y: "Million dollars",
          values: [
            ["Expected revenue", 40.5],
            ["Requested spending", 41.8],
            ["Gap", 1.3]
          ]
        },
        {
          key: "reserve",
          title: "Months of spending in reserve",
          alt: "Line chart of the general fund reserve in months of spending: 3.8, 4.4, 5.1, 5.3 and 5.0 over five years, against a floor of four months.",
          mark: "line",
          x: "Fiscal year",
          y: "Months",
          values: [
            ["Year -4", 3.8],
            ["Year -3", 4.4],
            ["Year -2", 5.1],
            ["Year -1", 5.3],
            ["This year", 5.0]
          ]
        }
      ],
      briefing: `
        County budget opens $1.3 million short, "the price of what we already do"
        * A version that takes half from the levy and half from the reserve is due by {+14}. #direction
        * Only one company bid for medical care in the jail. #bids
        == The draft budget %gap %reserve
        Departments ask for $41.8 million against expected revenue of $40.5 million. #gap
        Health insurance accounts for $740,000 of the growth. #reasons
        Taking the levy to its cap would bring $900,000. #choices
        The committee agreed to hold eleven positions open. #choices !contradicted
        == Jail medical contract
        The committee recommended the $912,000 contract to the board, three to nothing. #jailvote #bids
        About six in ten people booked need a prescription. #jail`,
      recap: {
        headline: "A $1.3 million gap and two recommendations",
        summary:
          "The committee asked for a budget that closes the gap half from the levy and half from reserves, and recommended the jail's medical contract and a reserve for election equipment.",
        decisions: `
          3 | Recommended to the county board | 3-0
          4 | Recommended to the county board | 2-1 (Abernathy no)`
      },
      agendaSummary: `
        2 | What the county would spend next year, and why it is more than it takes in.
        3 | Nurses and doctors for people held in the jail.
        4 | Saving up for new ballot tabulators.`,
      clips: [
        {
          key: "gap",
          title: "Where the $1.3 million comes from",
          from: "where",
          to: "nothingnew",
          item: "2",
          state: "proposal"
        }
      ]
    },
    {
      key: "cancelled-session",
      weeks: -4,
      title: "Regular Meeting",
      cancelled: true,
      agenda: ""
    },
    {
      key: "second-session",
      weeks: 1,
      title: "Budget Work Session",
      agenda: `
        1 | Call to order
        2 | Draft budget of fiscal year {year+1}, second version | Half from the levy, half from the reserve, with a projection of the year after.
        3 | Adjournment`
    }
  ]
}
