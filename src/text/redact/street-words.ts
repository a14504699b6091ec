/** The words by which addresses are recognized, without accents and in lower case. */
const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

/** Words that turn the name before them into a street. */
export const streetTypes = set(`
  street st avenue ave av boulevard blvd road rd drive dr lane ln court ct circle cir pike parkway pkwy terrace
  highway hwy trail trl turnpike alley`)

/** The same, but only after a house number, because these words have other uses. */
export const weakStreetTypes = set(`
  way place pl square sq loop row bend crossing cove ridge point view hill heights run path walk glen landing park
  gardens bluff meadow hollow common commons green mews grove plaza shore shores trace close spur bypass cutoff knoll
  manor estates vista chase crest byway expressway freeway loop mall quay wharf creek branch pass village`)

/**
 * Words that the Postal Service lists as types of streets (Publication 28, appendix C1), or that end names of streets
 * without a type. They mean something else without a house number before them.
 */
export const rareStreetTypes = set(`
  arcade bayou bottom bottoms brook brooks canyon cape causeway chapel circles cliff cliffs corner corners crescent
  crossroads curve dale dell extension fairway falls farm farms ferry field fields ford forest fork forks gap gate glade
  harbor haven hill hillside hilltop inlet island isle junction knob knolls lake lakes lodge meadows mill mills
  mountain narrows neck oak oaks orchard oval overlook passage pine pines pond prairie race ranch rapids reach retreat rise river
  shoals siding spring springs steps stream summit timbers trails tunnel valley viaduct ville wells woods wynd`)

/** Types that are verbs or things too, so that in capitals only a name before them makes a street. */
export const commonTypes = set("drive dr court ct circle trail trl alley lane terrace")

/** Words that precede the name in Spanish and French. */
export const leadingTypes = set("calle avenida camino via paseo rue plaza rancho placita callejon carretera avenue")
export const leadingArticles = set("de del la las los el of the le les du des")

export const directions = set(`
  north south east west northeast northwest southeast southwest n s e w ne nw se sw norte sur este oeste`)

export const unitWords = set(`
  apartment apt unit suite lot trailer number no flat condo space building bldg room cabin
  townhouse apartamento numero`)

/** The same, but only behind a street: elsewhere they are other things. */
export const tailUnits = set(`
  berth bungalow casita coach cottage dock loft pad penthouse ph row site slip tower townhome trlr villa`)

/** Roads with a number in place of a name. */
export const roadKinds = set("county cty state us farm old rural")
export const numberedRoads = set("road route highway hwy rd rt fm rr cr sr interstate")

/** Common words that are a street's name by themselves after a house number: `305 North Main` */
export const plainNames = set(
  "main front center broad high water mill church market spring college state union pine grove"
)

/** Common words that begin the names of streets: `1921 Big Cove Road`. */
export const adjectives = set("good great new high low big little small long short old busy upper lower")

/** Words in the names of streets where offices and businesses are more often than homes. */
export const busyNames = set(`
  main central market broadway church union state depot commerce commercial college university executive industrial
  corporate center centre plaza landing square mall airport civic capitol court courthouse financial professional medical
  hospital station warehouse gateway`)
