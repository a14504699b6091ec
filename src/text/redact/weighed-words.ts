import { anybody, dwellers, living, manyDwellers, numbered, owning, places } from "./sign-words.ts"

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

const venues = set(`
  hall library school church station center centre building office offices clinic courthouse store shop bakery hospital
  museum shelter park restaurant bank market university college salon company factory plant jail facility headquarters
  stadium mosque synagogue temple parish chapel cathedral monastery convent ministry ministries pantry armory marina tavern
  saloon brewery distillery winery motel hotel inn hostel resort casino laundromat wash carwash pump well tower culvert bridge
  ramp trail trailhead depot warehouse landfill quarry mill foundry refinery terminal airport cemetery field ballfield
  pool gym spa barbershop hospice nursing rehab daycare preschool academy campus fraternity thrift mart supermarket grocery
  groceries pharmacy drugstore outlet mall dealership precinct gallery theater theatre cinema zoo aquarium arena coliseum
  convention cafe diner pizzeria pizza deli bar pub lounge nightclub club truck substation lift treatment reservoir tank
  mural statue monument playground encampment greenway clubhouse studio auditorium gas tobacco vape smoke grill foods
  express seafood cantina donuts coffee tea bagels fitness dental surgery urgent hangar dispensary kennel nursery orchard
  greenhouse plaza complex apartments towers high-rise garage lot lockbox mailroom booth kiosk polling precincts`)

const process = set(`
  approve approval approved approves deny denied denial motion move moved second seconded ordinance resolution item items
  rezoning rezone rezoned variance permit permits license licenses application applicant applicants petitioner petition
  request requests requesting recommends recommendation hearing staff zoned zoning parcel parcels property properties
  contract agreement lease leased easement plat annex annexation bid bids agenda plan plans located location site district
  amendment amend docket case consent deferred defer postpone table tabled appeal appellant conditional exception rental
  acquire acquired purchase purchased sell sold bought owns owned assessed assess inspected inspection inspections
  condemned demolish demolished demolition cited violation violations nuisance project projects proposed proposal
  development developer developers subdivision phase tract easements right-of-way fund funds budget grant`)

const workers = set(`
  director manager attorney counsel lawyer engineer architect pastor dentist doctor physician nurse principal chief captain
  sergeant lieutenant officer officers deputy planner surveyor realtor agent broker consultant contractor ceo president
  owner owners operator employee employees client clients representing represent represents behalf staff llc inc
  incorporated corporation partners associates group firm practice engineers homes construction builders foundation
  association chamber authority bureau agency department commission union league society coalition nonprofit vendor
  landlord tenant tenants congregation members volunteers volunteer`)

const events = set(`
  fire fires crash accident wreck shooting shot stabbing robbery police responded dispatched arrested warrant suspect
  vacant abandoned empty traffic sidewalk intersection paving repaved resurfacing crosswalk speed speeding detour closed
  closing closes close signal signals light lights stop bus buses route trucks`)

const daily = set(`
  sleep bed bedroom kitchen window windows porch yard backyard lawn driveway mailbox roof basement attic dog dogs cat horses
  ambulance flood flooded floods flooding water sewage quiet noise rent moved born raised grew raising garden fence tree
  ditch neighbor neighbors bills bill taxes door wall night nights kids husband wife retired disabled widow veteran
  elderly years lifelong generations inherited`)

const kin = set(`
  wife husband son daughter mother mom mama father dad daddy kids kid children child family parents grandmother grandma
  grandfather grandpa granddaughter grandson grandkids sister brother aunt uncle cousin nephew niece baby spouse widow
  folks mothers fathers moms dads sons daughters sisters brothers`)

const opening = set(`
  good evening afternoon morning hello hi hey thank thanks mayor council commissioners commissioner chairman chair madam
  members sir maam name names record yes howdy okay again sorry um uh please speaker caller next`)

const written = set(
  `letter email e-mail comment comments card written writes wrote read signed sincerely constituent submitted dear`
)

const counted = set(`
  percent dollars votes ayes nays units acres miles feet foot minutes hours gallons cars vehicles trees homes houses people
  residents signatures members employees students officers calls comments questions points times days weeks months spaces
  lots beds seats pages copies cases parcels permits tons inches yards apartments stores jobs`)

/** Classes of words that say whose an address is; what a word belongs to counts beside the word itself. */
export const classes: ReadonlyArray<readonly [string, ReadonlySet<string>]> = [
  ["living", living],
  ["dweller", dwellers],
  ["dwellers", manyDwellers],
  ["home", places],
  ["owning", owning],
  ["i", set("i im ive id me my mine myself yo mi vivo soy")],
  ["we", set("we were weve us our ours nuestra vivimos")],
  ["they", set("they he she his her their theyre hes shes them him")],
  ["kin", kin],
  ["anybody", anybody],
  ["venue", venues],
  ["process", process],
  ["worker", workers],
  ["event", events],
  ["daily", daily],
  ["opening", opening],
  ["written", written],
  ["numbered", numbered],
  ["counted", counted]
]

/** What a part of a meeting is about, by its words: who speaks there mostly gives a home, or an office. */
export const topics: ReadonlyMap<string, string> = new Map(
  Object.entries({
    permit: `beer premises alcohol liquor permit restaurant grill bar tavern pub deli lounge brewing brewery mart cafe pizza pizzeria
      inspector documentation officer sergeant record approvals fingerprints certificate retailers wine spirits`,
    hearing: `applicant applicants rezoning rezone zoning zoned opposition planning sector acre acres dwelling density
      petitioner appeal plat subdivision agricultural residential commercial developer`,
    forum: `forum signed oppose opposed favor concerned speaking minutes podium`,
    resident: `live lived lives living resident residents neighborhood neighborhoods neighbor neighbors home homes house
      houses homeowner homeowners yard street kids children wife husband family retired`,
    trade: `business businesses store stores shop customers employees company companies client clients manager owner owners
      representing represent behalf applying tenant lease open opening construction building corporation llc inc project
      architect engineer attorney firm foundation association`,
    office: `budget contract grant fund funds funding department staff director report agreement amendment presentation
      superintendent engineering chief sheriff commissioners program services`
  }).flatMap(([topic, words]) =>
    words
      .trim()
      .split(/\s+/u)
      .map((word) => [word, topic] as const)
  )
)
