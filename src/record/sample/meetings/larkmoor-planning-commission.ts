import type { AuthoredBody } from "../authoring.ts"

export const larkmoorPlanningCommission: AuthoredBody = {
  name: "Larkmoor Planning and Zoning Commission",
  kind: "planning_commission",
  places: ["larkmoor"],
  // The Zoning Board of Appeals was merged into the commission.
  retired: ["larkmoor-zoning-board-of-appeals", "larkmoor-plan-commission"],
  host: "larkmoor.example",
  weekday: 1,
  at: "18:00",
  room: "Council Chambers, City Hall, 210 Grange Street, Larkmoor",
  speakers: {
    Adeyemi: "Chair Folu Adeyemi",
    Kowalczyk: "Commissioner Stan Kowalczyk",
    Birch: "Commissioner Allison Birch",
    Tran: "Commissioner Minh Tran",
    Dorsey: "Commissioner Earl Dorsey",
    Lund: "Planner Ingrid Lund",
    Applicant: "Marcus Vale, Elevator Lofts LLC"
  },
  meetings: [
    {
      key: "elevator-lofts",
      weeks: -2,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | PZ-{year}-14: Elevator Lofts, 300 Depot Street | Planned development of 64 apartments in the former grain elevator, with 71 parking spaces where the code asks for 96. | Recommended with conditions 4-1
        3 | PZ-{year}-17: variance, 1205 Prospect Avenue | Garage four feet from the side line where ten are required. | Approved 5-0
        4 | Staff report | Accessory dwellings: draft for the next meeting.`,
      script: `
        @1
        Adeyemi: Good evening. This is the Planning and Zoning Commission, the merged one, for anyone who still has the Zoning Board on their calendar. All five of us are here.
        @2 | Apartments in the grain elevator
        Lund #staff: Sixty-four apartments in the old Farmers' Elevator on Depot Street. The concrete silos stay. Windows are cut only on the south and east sides, which is what the State Historic Preservation Office asked for. The one departure from the code is parking: seventy-one spaces instead of ninety-six.
        Applicant #vale: We own two buildings like it in other towns. We see one point one cars an apartment. Seventy-one is what we need. Ninety-six would mean paving the garden.
        Kowalczyk #street: And when the seventy-second car comes home? It parks on Depot Street, in front of the people who live there now.
        June Ferrante #ferrante: That's me, I'm in front. I've lived on Depot Street since it smelled like soybeans. I'm for it. An empty elevator has pigeons and teenagers. I'd just like permit parking on my side.
        Dell Ruddick #ruddick: I own the feed store next door. We have trucks at five in the morning. I don't want a hundred new neighbors calling the police about it in a year.
        Tran #noise: Could the leases carry a notice about the trucks?
        Applicant #notice: Gladly. We'll put it in capital letters.
        Birch #affordable: Are any of the sixty-four at a rent that a teacher's aide can pay?
        Applicant #eight: Eight, at sixty percent of the area median, for fifteen years. That's in the tax credit application.
        Birch: I'd like it to be in our conditions and not only in your application.
        Lund #conditions: Then the conditions would be: permit parking on the north side of Depot Street, a notice of early trucks in every lease, and the eight apartments recorded as a covenant.
        Dorsey: I'll move to recommend with those three.
        Birch: Second.
        Kowalczyk #against: I like the building and I don't like the parking. I'll be the one vote.
        Adeyemi #vote: Birch, aye. Dorsey, aye. Tran, aye. The chair, aye. Kowalczyk, no. Four to one. It goes to the council on {+15}.
        @3 | A garage on Prospect Avenue
        Lund: The lot narrows to forty feet at the back. The neighbor on that side has written in favor.
        Tran #garage: It's a hardship of the lot, not of the owner. I move approval.
        Dorsey: Second.
        Adeyemi: All in favor? Five to nothing.
        @4 | Accessory dwellings
        Lund #adu: A draft on accessory dwellings will be in your packets on {+28}. One small dwelling behind a house, no larger than eight hundred square feet.
        Adeyemi: We're adjourned.`,
      misheard: {
        adeyemi: "a day emmy",
        kowalczyk: "co wall check",
        ferrante: "ferranti",
        ruddick: "riddick",
        lund: "lunt",
        lofts: "lost"
      },
      transcripts: "both",
      briefing: `
        Grain elevator apartments go to council with permit parking and eight lower rents
        * The council takes it up on {+15}. #vote
        * A draft on small dwellings behind houses is due on {+28}. #adu
        == Elevator Lofts
        The commission recommended 64 apartments in the former elevator by four to one. #vote #staff
        Eight apartments would rent at 60 percent of the area median for fifteen years, recorded as a covenant. #eight #conditions
        The developer is to pay for a traffic signal at Depot Street. !unsupported
        The plan has 71 parking spaces, 25 fewer than the code asks for. #staff
        == Prospect Avenue
        A garage four feet from the side line was approved because the lot narrows. #garage`,
      recap: {
        headline: "Elevator Lofts recommended, 4-1",
        summary:
          "The commission sent the plan for 64 apartments in the grain elevator to the council with three conditions and approved a variance on Prospect Avenue.",
        decisions: `
          2 | Recommended with conditions | 4-1 (Kowalczyk no)
          3 | Approved | 5-0`
      },
      agendaSummary: `
        2 | Apartments in the old grain elevator, with less parking than the code asks for.
        3 | A garage closer to the lot line than is usual.`,
      clips: [
        {
          key: "parking",
          title: "Where does the 72nd car park?",
          from: "vale",
          to: "ferrante",
          item: "2",
          state: "proposal"
        }
      ]
    },
    {
      key: "billboard",
      weeks: -6,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | PZ-{year}-09: digital billboard, Route 61 | Changes a painted sign to a digital one, 378 square feet. | Denied 3-2
        3 | Comprehensive plan: schedule of workshops`,
      script: `
        @1
        Adeyemi: The commission is in order.
        @2 | A digital billboard on Route 61
        Lund #sign: The code allows a message to change every sixty seconds. They ask for every eight, which is what the state allows on its own roads.
        Dorsey #farmers: I drive it every night. It's the last dark mile before town, and I'd like to keep it.
        Tran: It's a legal sign today, and all they ask is to stop sending a man up a ladder.
        Birch #bright: At eight seconds you read two of them. I can't find that it's no brighter for the houses behind it.
        Adeyemi #signvote: On the motion to approve: Kowalczyk, aye. Tran, aye. Birch, no. Dorsey, no. The chair votes no. It fails, two to three, and the application is denied.
        @3 | Workshops
        Lund #workshops: Four workshops, one in each ward, the first at the library. Childcare and supper are included.
        Adeyemi: People come for supper. We're adjourned.`
    },
    {
      key: "accessory-dwellings",
      weeks: 2,
      title: "Regular Meeting",
      agenda: `
        1 | Call to order
        2 | Public hearing: accessory dwellings | Text amendment to Title 17: one dwelling of at most 800 square feet behind a house.
        3 | PZ-{year}-19: site plan, 40 Airport Road | Warehouse of 22,000 square feet.
        4 | Adjournment`,
      agendaSummary: `2 | Whether an owner may build one small dwelling behind a house.`
    }
  ]
}
