import type { AuthoredBody } from "../authoring.ts"

export const larkmoorLibraryBoard: AuthoredBody = {
  name: "Larkmoor Library Board",
  kind: "other",
  places: ["larkmoor"],
  host: "larkmoorlibrary.example",
  weekday: 3,
  at: "17:00",
  room: "Hartwell Room, Larkmoor Public Library, 45 Court Square, Larkmoor",
  speakers: {
    Eastman: "President Viola Eastman",
    Deng: "Trustee Arthur Deng",
    Mørch: "Trustee Solveig Mørch",
    Salas: "Trustee Hector Salas",
    Upshaw: "Trustee Bernice Upshaw",
    Director: "Library Director Noor Rahimi",
    Circulation: "Head of Circulation Glen Tibbets"
  },
  meetings: [
    {
      key: "sunday-hours",
      weeks: -3,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Minutes and treasurer's report | Balance of $318,406.10. | Approved 5-0
        3 | Library hours: Sundays | Open 1 to 5 on Sundays from fall to spring, and close at 6 instead of 8 on Mondays. | Approved 3-2
        4 | Late fees | End fees on children's books; $3,100 a year. | Approved 5-0
        5 | Elevator: maintenance contract | Three years at $4,480 a year. | Approved 5-0
        6 | Director's report`,
      script: `
        @1
        Eastman: Good afternoon. All five trustees are here, so let's begin.
        @2
        Upshaw: The balance is three hundred eighteen thousand, four hundred and six dollars and ten cents. I move that and the minutes.
        Deng: Second.
        Eastman: In favor? That's approved.
        @3 | Sundays or Monday evenings
        Director #hours: We counted people at the door for six weeks. On Monday after six we see nineteen people, on average. When we opened four Sundays as a trial, we had one hundred and thirty-one.
        Circulation #staff: It's the same forty-one staff hours either way. I have four people who would work a Sunday, and I need five.
        Mørch #monday: Nineteen is not nobody. There's a citizenship class on Mondays at six thirty. Where do they go?
        Director #class: Tuesday has the same room free until eight. I've asked the teacher, and nine of her twelve can do Tuesday.
        Salas #salas: And three can't. I'd like to keep Monday and find the money for Sunday besides.
        Director #both: Both would cost twenty-six thousand dollars a year. We'd take it from books.
        Deng #books: I won't take it from books. I move the change as it's written, from {+11}.
        Upshaw: Second.
        Eastman #hoursvote: Deng, aye. Mørch, no. Salas, no. Upshaw, aye. The chair votes aye. Three to two, and it carries. Noor, please tell us in the spring how the class is doing.
        @4 | Late fees on children's books
        Circulation #fees: We took in thirty-one hundred dollars last year in children's fees. Six hundred and forty cards are blocked for owing more than ten dollars, and most of them belong to someone under twelve.
        Upshaw: What happens to a book that never comes back?
        Circulation #replace: We still charge for a book that's lost. It's only the dimes that go.
        Mørch: So moved.
        Salas: Second.
        Eastman #feesvote: Five to nothing.
        @5
        Director: The elevator contract is four thousand four hundred and eighty a year for three years. The state requires one.
        Deng: Move to approve.
        Eastman: All in favor? Approved.
        @6
        Director #seeds: The seed library gave out two thousand two hundred packets. The meeting room was used three hundred and four times. And we have a new microfilm reader, which was a gift.
        Eastman: Thank you. We're adjourned.`,
      misheard: { mørch: "more", deng: "dang", noor: "nor", upshaw: "up shore" },
      transcripts: "both",
      figures: [
        {
          key: "visits",
          title: "People at the door, by opening",
          alt: "Bar chart of people at the door: Monday after six 19, Sunday afternoon 131.",
          mark: "bar",
          x: "",
          y: "People",
          values: [
            ["Monday after 6", 19],
            ["Sunday, 1 to 5", 131]
          ]
        }
      ],
      briefing: `
        Library will open on Sundays and close earlier on Mondays
        * The new hours begin on {+11}. #books #hoursvote
        * The Monday citizenship class would move to Tuesday. #class
        == Library hours %visits
        By three to two the board opened the library on Sunday afternoons and ended Monday evenings. #hoursvote #books
        On average 19 people come on Monday after six; 131 came on each trial Sunday. #hours
        Keeping both would have cost $26,000 a year, taken from books. #both
        Everyone in the citizenship class can come on Tuesday. #class !contradicted
        == Late fees
        The library ends late fees on children's books, worth $3,100 a year. #fees #feesvote
        A lost book is still charged for. #replace
        Blocked cards will be cleared on the first of the month. !unsupported`,
      recap: {
        headline: "Sunday hours from {+11}",
        summary:
          "The library will open on Sunday afternoons and close at six on Mondays. Late fees on children's books end.",
        decisions: `
          2 | Approved | 5-0
          3 | Approved | 3-2 (Mørch, Salas no)
          4 | Approved | 5-0
          5 | Approved | 5-0`
      },
      agendaSummary: `
        3 | Trading Monday evenings for Sunday afternoons.
        4 | No more late fees on children's books.
        5 | Keeping the elevator inspected.`,
      clips: [
        {
          key: "hours",
          title: "Nineteen on Monday, 131 on Sunday",
          from: "hours",
          to: "class",
          item: "3",
          state: "proposal"
        },
        { key: "dimes", title: "Only the dimes go", from: "fees", to: "replace", item: "4", state: "alternate" }
      ]
    },
    {
      key: "no-quorum",
      weeks: -7,
      title: "Regular Meeting",
      cancelled: true,
      agenda: `
        1 | Call to order
        2 | Minutes and treasurer's report
        3 | Carpet in the children's room | Quotes of $9,940 and $11,275.`
    },
    {
      key: "next-regular",
      weeks: 2,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Minutes and treasurer's report
        3 | Carpet in the children's room | Quotes of $9,940 and $11,275.
        4 | Local history room: gift of the Søndergaard papers | Eleven boxes, with a condition that they stay in Larkmoor.
        5 | Director's report: first Sundays`,
      agendaSummary: `
        3 | New carpet where small children sit.
        4 | Whether to take eleven boxes of a family's papers.`
    }
  ]
}
