/** The words that say whose an address is, without accents and apostrophes, in lower case. */
const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

/** Where somebody lives: what follows is a home. */
export const living = set(`
  live lives lived living reside resides resided residing dwell dwells rent rents rented renting stay stays staying raised
  born grew moved evicted displaced homesteaded sleep sleeps lease leases leasing vivo vivimos vive resido residimos`)

/** People who live somewhere. */
export const dwellers = set("homeowner resident tenant renter neighbor occupant taxpayer householder")
export const manyDwellers = set("homeowners residents tenants renters neighbors occupants taxpayers")

/** What is a home if somebody says that it is theirs. */
export const places = set(`
  home house residence apartment condo condominium townhouse townhome duplex trailer place yard backyard lawn driveway
  porch basement garage roof mailbox property farm farmhouse ranch cabin homestead lot land street block household door
  camp cottage camper houseboat window kitchen bedroom deck patio balcony attic cellar garden casa hogar domicilio flat homeplace bungalow mobile unit folks`)

/** The same, but without an owner they are no more than a way there: `across the street`. */
export const ways = set("street road block lot land door lawn garden yard mobile unit garage roof folks")

/** Getting and having a home. */
export const owning = set(`
  own owned owns buy bought purchased built have had has found closed inherited keep rebuilt renovated got`)

/** The same, but what follows is a home even if nobody calls it one: `I own 12 Elm Street`. */
export const owningAlone = set("own owned owns bought purchased inherited rebuilt")

/** The speaker, and those for whom a speaker answers. */
export const selves = set(`
  i we my our ive weve im me us id mi yo nuestra he she his her hes shes they their ours mine myself
  wife husband brother sister mother mom dad father son daughter grandmother grandma grandfather grandpa aunt uncle cousin
  neighbor friend landlord parents family folks inlaws girlfriend boyfriend partner widow mothers fathers
  grandmothers grandmas brothers sisters sons daughters neighbors`)

/** Those for whom nobody in particular answers. */
export const anybody = set(`
  people those families nobody anybody anyone everyone everybody voters citizens children students seniors officers
  developers developer client clients applicant suspect victim veterans persons individuals tourists workers investors
  staff deputies crews crew you your city county folks kids elderly owner community manager`)

/** Workplaces, and places that people visit or decide on. An address that belongs to one is no home. */
export const facilities = set(`
  hall library school church station center centre project development building office offices clinic courthouse store shop
  business bakery hospital museum parcel proposal shelter park site restaurant bank market university college salon
  company factory plant jail facility headquarters department commission council meeting hearing stadium mosque synagogue
  permit variance rezoning request application item ordinance resolution contract case applicant petitioner complaint
  event grill cafe pizza brewing brewery mart stores foods inn hotel motel llc inc incorporated pub bar deli lounge tobacco
  express phase chapter section title account fund location locations tract intersection bridge crash accident wreck
  shooting fire robbery project projects construction sewer signal light crosswalk sidewalk traffic speed corridor trailhead
  stop polling voting ballot ballots engine dispatched responded cited cite complex rental rentals warehouse gym studio
  daycare academy temple parish ministry ministries foundation nonprofit agency bureau authority corporation firm practice
  dealership nursery mall theater playground pool arena lobby courtroom chambers room open client clients engineer
  doctor dentist job work works worked working teach teaches taught shop shopped drive drives drove driving walk walks walked
  walking bike biked run cross crossed visit visited went go going goes come came looked look looking saw seen see
  about regarding concerning approve approved deny denied rezone rezoned annex annexed demolish demolished inspected
  renamed closing closure paving resurfacing repaving between meet meets met host hosted hosting owner owners developer
  vacant nuisance subject list question space volunteer laundromat tavern diner grocery supermarket barbershop winery pantry`)

/** The same, but also surnames. */
export const surnames = set(
  "park hall church bank market case school fire light stop walker hunter engine rivers light"
)

/** Words before a number that make it the number of something else. */
export const numbered = set(`
  item items case number numbers ordinance resolution bill docket section chapter page pages phase district ward precinct
  parcel map fund title permit contract check amendment act law psalm engine station truck bus flight local post
  troop fiscal fy year years line figure exhibit attachment tract zone version step option table volume article
  order invoice account book verse romans john matthew luke proverbs isaiah form claim count district districts rule group
  team channel slide speaker cost costs total sum exactly about approximately nearly almost roughly over under least most only
  another all these those some than plus minus times page policy proposition measure question`)

/** Words that mean nothing by themselves between a sign and an address. */
export const transparent = set(`
  located at on in of off from to by the a an right here there over up out down just currently actually still now back also uh um er
  ah is its it was are am be been being mean sorry and that this which where who well so yes yeah presently permanently way
  this that thats both all located for record would will no not en el la de del calle since then with around along my our
  very same little old new own number numbered near behind beside across next past inside outside approximately about
  happily proudly alone together full time quietly always originally recently long forever permanent physical`)
