import type { AuthoredBody } from "./authoring.ts"
import { corlissMillsCityCouncil } from "./meetings/corliss-mills-city-council.ts"
import { corlissMillsParkBoard } from "./meetings/corliss-mills-park-board.ts"
import { countyBoard } from "./meetings/county-board.ts"
import { countyFinanceCommittee } from "./meetings/county-finance-committee.ts"
import { larkmoorCityCouncil } from "./meetings/larkmoor-city-council.ts"
import { larkmoorLibraryBoard } from "./meetings/larkmoor-library-board.ts"
import { larkmoorPlanningCommission } from "./meetings/larkmoor-planning-commission.ts"
import { larkmoorSchoolBoard } from "./meetings/larkmoor-school-board.ts"
import { ostranderFerryBoard } from "./meetings/ostrander-ferry-board.ts"
import { penaSpringsCityCouncil } from "./meetings/pena-springs-city-council.ts"
import { penaSpringsPlanningCommission } from "./meetings/pena-springs-planning-commission.ts"
import { twoRiversSchoolBoard } from "./meetings/two-rivers-school-board.ts"

export const bodies: ReadonlyArray<AuthoredBody> = [
  countyBoard,
  countyFinanceCommittee,
  larkmoorCityCouncil,
  larkmoorPlanningCommission,
  larkmoorSchoolBoard,
  larkmoorLibraryBoard,
  penaSpringsCityCouncil,
  penaSpringsPlanningCommission,
  twoRiversSchoolBoard,
  corlissMillsCityCouncil,
  corlissMillsParkBoard,
  ostranderFerryBoard
]
