/** The words by which addresses are recognized, without accents and in lower case. */
const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

/** Words that turn the name before them into a street. */
export const streetTypes = set(`
  street st avenue ave av boulevard blvd road rd drive dr lane ln court ct circle cir pike parkway pkwy terrace
  highway hwy trail trl turnpike alley`)

/** The same, but only after a house number, because these words have other uses. */
export const weakStreetTypes = set(`
  way place pl square sq loop row bend crossing cove ridge point view hill heights run path walk glen landing park
  gardens bluff meadow hollow common commons green mews grove plaza shore shores trace`)

/** Words that precede the name in Spanish and French. */
export const leadingTypes = set("calle avenida camino via paseo rue plaza rancho placita callejon carretera avenue")
export const leadingArticles = set("de del la las los el of the le les du des")

export const directions = set(`
  north south east west northeast northwest southeast southwest n s e w ne nw se sw norte sur este oeste`)

export const unitWords = set("apartment apt unit suite lot trailer number no flat condo")

/** Roads with a number in place of a name. */
export const roadKinds = set("county state us farm old")
export const numberedRoads = set("road route highway hwy rd rt")

/** Connecting words, which are never part of a name. */
export const joiningWords = set(`
  a an the and or but nor so yet if then than as at by for from in into of off on onto over to up down with within without
  about above across after against along among around before behind below beneath beside between beyond during except
  inside near next outside past since through throughout toward towards under until upon via
  i you he she it we they me him her us them my your his its our their mine yours this that these those who whom whose
  which what when where why how here there now today tonight yesterday tomorrow
  am is are was were be been being have has had do does did will would shall should can could may might must
  not no yes ok okay yeah uh um er please thank thanks hi hello
  ive im id youre hes shes were weve wed theyre thats its dont didnt cant
  live lives lived living reside residing own owned`)

/** Words that are not street names by themselves: common words, and units that follow a number. */
export const commonWords: ReadonlySet<string> = new Set([
  ...joiningWords,
  ...set(`
  want wanted like think know see say said says ask asked go goes went
  come comes came get got make made take took give gave put need needs let move moved seconded second seen look
  speak speaking called calling signed passed carries carried approved denied recommends reviewed
  doors door feet two three four five six seven eight nine ten
  very just also only even still much many more most some any all both each every few other another such same
  people person persons members member neighbors homes houses house home apartments units years year months month weeks
  week days day hours hour minutes minute seconds times time dollars dollar cents cent percent points point feet foot
  miles mile acres acre pages page items item votes vote ayes aye nays nay kids children pupils students families
  signatures applications meters patients copies blocks block lanes speed stories story floors floor rooms signs trees
  hundred thousand million billion am pm oclock noon
  fixed income social security medicare medicaid disability ssi food welfare time fear
  street avenue road busy
  property properties town county city district ward state neighborhood area community
  good great new different high low big small long short
  y mi es en`)
])

/** Common words that begin the names of streets: `1921 Big Cove Road`. */
export const adjectives = set("good great new high low big small long short old busy")

/** Workplaces, and places that people visit or decide on. An address that belongs to one is not a home. */
export const facilityWords = set(`
  hall library school church station center centre project development building office clinic courthouse store shop
  business bakery hospital museum lot parcel proposal shelter park site restaurant bank market university college
  company factory plant jail facility headquarters department commission council meeting hearing garage stadium
  permit variance rezoning request application item ordinance resolution contract case applicant
  event grill cafe pizza brewing mart stores food foods inn hotel llc inc incorporated pub bar deli lounge tobacco
  express phase chapter section title account fund`)

/** The same, but also surnames. */
export const surnames = set("park hall church bank market case")
