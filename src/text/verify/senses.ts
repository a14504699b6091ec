import type { Word } from "./words.ts"

/** Forms that no ending explains, each after its base. */
const irregular: ReadonlyMap<string, string> = new Map(
  `go went gone goes/tell told/pay paid/buy bought/sell sold/build built/make made/hold held/keep kept/leave left/give gave given/
  take took taken/get got gotten/come came/see saw seen/know knew known/think thought/speak spoke spoken/spend spent/
  send sent/meet met/rise rose risen/fall fell fallen/grow grew grown/draw drew drawn/write wrote written/lead led/
  lose lost/win won/begin began begun/bring brought/run ran/find found/stand stood/choose chose chosen/fight fought/
  hear heard/teach taught/catch caught/wear wore worn/break broke broken/drive drove driven/withdraw withdrew withdrawn/
  say said says/feel felt/child children kid kids/person people persons/man men/woman women/foot feet/half halves/
  decide decision decided/move motion moved moves moving/extend extension/include inclusion/expand expansion/lay laid/
  conclude conclusion/divide division/permit permission/submit submission/admit admission/reduce reduction/produce production/
  introduce introduction/subscribe subscription/describe description/explain explanation/apply applies applied application applicant/
  maintain maintenance/repeat repetition/compete competition/oppose opposition opponent/respond response/use used user usage/
  die died death/die dies/lie lied lying/long length/wide width/high height/strong strength/deep depth/safe safety/able ability/
  analyze analysis/criticize criticism/renew renewal/vary variance/succeed success/choose choice/complain complaint/
  know knowledge/advise advice/lend loan/borrow borrowing/serve service/prevent prevention/pass passage/sign signature/
  reside resident residence residential/finance financial/nation national/four fourth`
    .split("/")
    .flatMap((group) => {
      const [base = "", ...forms] = group.trim().split(/\s+/u)
      return [[base, base] as const, ...forms.map((form) => [form, base] as const)]
    })
)

const endings =
  /(?:ations?|ating|ated?s?|ions?|ings?|ments?|ers?|ors?|als?|ally|ies|ied|ily|ness|it(?:y|ies)|abl[ey]|ibl[ey]|an(?:ce|t)s?|en(?:ce|t)s?|ives?|es|ed|ly|s|e|y)$/u

/** The beginning that the forms of a word share: `approv` for `approve`, `approval` and `approving`. */
export const stemOf = (word: string): string => {
  const base = irregular.get(word) ?? word
  if (/^\d/u.test(base) || base.length <= 3) return base
  let stem = base
  for (let times = 0; times < 2; times++) {
    // `lives` has too little left without `ives`.
    const shorter = [endings, /(?:es|s|e)$/u]
      .map((ending) => stem.replace(ending, ""))
      .find(({ length }) => length >= 3)
    if (shorter === undefined || shorter === stem) break
    stem = shorter
  }
  // `planning` and `plan`, `submitted` and `submit`; `carries` and `carry`.
  return stem.replace(/([bdgmnprt])\1$/u, "$1").replace(/i$/u, "")
}

/** Words that people use for each other in a meeting, whatever their form. A word may be in several lists. */
const alike = `
  cost price expense expensive fee charge rate amount worth spend pay bill payment dues
  buy purchase acquire acquisition procure
  sell sale
  road street highway corridor route roadway avenue lane
  home house dwelling residence residential housing
  reside live neighbor citizen people person folk inhabitant household homeowner constituent community public
  child student pupil youth teen minor kid
  money fund dollar budget financial revenue finance
  ask request seek want inquire wonder question query
  increase rise grow up raise climb gain growth more higher jump surge hike expand
  decrease drop fall decline down reduce cut less lower shrink fewer shave trim
  begin start launch open commence kick initiate
  end finish complete close conclude expire over adjourn wrap deadline done
  talk discuss speak mention conversation discussion describe tell say explain present presentation address report outline
  job work employ employment employee staff worker personnel
  police officer cop law enforcement
  car vehicle automobile truck traffic
  hire employ recruit
  session meeting workshop hearing
  build construct construction develop development project
  fix repair maintain maintenance restore
  help assist support aid service
  need require must necessary mandatory requirement have
  allow permit let authorize may enable can
  prohibit ban forbid bar disallow
  plan proposal project proposed propose program scheme
  worry concern fear afraid anxious trouble issue problem
  hard difficult tough challenge
  big large huge major significant substantial great considerable
  small little minor tiny few slight
  fast quick rapid soon speed swift immediate
  lot parcel property land site tract acre
  company firm business vendor contractor contract developer corporation
  agreement contract deal lease
  amend change modify alter revise update adjust switch
  replace substitute swap change
  give provide offer supply grant donate award
  get receive obtain gain
  keep retain remain stay continue maintain hold
  move relocate transfer shift
  rule law ordinance regulation code policy statute
  resolution item measure matter ordinance legislation
  council member councilmember councilman councilwoman alderman
  commission commissioner
  board trustee
  chair chairman chairwoman chairperson mayor president
  attorney lawyer counsel legal
  manage administer manager administrator
  owner own proprietor applicant possess belong
  resign step quit leave retire
  thank grateful appreciate gratitude praise
  apartment unit multifamily condo
  store shop retail market
  park parking
  school education district educational
  doctor hospital medical health
  fire firefighter
  garbage trash waste refuse
  tree forest woods
  water river creek stream
  flood storm drainage stormwater
  dangerous unsafe hazard risk hazardous danger
  vote ballot
  election elect
  year annual yearly annually decade
  month monthly
  week weekly
  day daily
  now current today currently present
  former previous prior past ago before earlier
  later after next following then
  about concern regard regarding
  estimate expect anticipate project forecast
  show indicate reveal demonstrate
  believe think feel opinion view
  agree concur
  because reason why due
  delay postpone defer wait hold table continue
  approve adopt pass carry accept authorize favor ratify okay
  deny reject refuse disapprove
  support favor endorse back recommend
  oppose against object opposition dissent
  recommend suggest advise recommendation
  remove delete strike eliminate drop pull
  add include additional extra another plus
  join merge combine together
  separate split divide
  apply application applicant request petition
  violate violation break breach
  fine penalty punish
  study analysis review examine assess evaluate survey research look analyze
  find discover
  total sum altogether overall combined
  part portion share piece section
  most majority mostly
  half fifty
  double twice
  once first
  every all each entire whole
  finish complete
  event occur happen incident
  notice notify inform alert tell
  gun firearm weapon
  shelter homeless unhoused homelessness
  tax levy
  area neighborhood region district zone
  size square footage
  rezone rezoning zoning zone
  letter email mail
  call phone telephone
  web website online internet
  bus transit
  bike bicycle cyclist
  walk pedestrian sidewalk
  downtown center central
  old elderly senior aged
  young youth
  same equal identical unchanged
  different distinct
  fail unable
  success succeed
  correct right accurate true
  wrong incorrect mistake error false
  quick brief short
  long lengthy
  location place site spot where
  responsible duty charge
  choose select pick decide choice
  goal aim objective purpose
  save saving
  borrow loan bond debt
  lend loan
  raise increase
  salary wage pay compensation
  retire retirement pension
  insure insurance coverage
  group organization association nonprofit agency
  leader head chief director
  speaker she he they resident person member man woman
`

const groups: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const found = new Map<string, Array<string>>()
  for (const [at, line] of alike.trim().split("\n").entries()) {
    for (const stem of new Set(line.trim().split(/\s+/u).map(stemOf))) {
      found.set(stem, [...(found.get(stem) ?? []), `=${at}`])
    }
  }
  return found
})()

/** What a word may mean, as marks: its stem, and the lists of words it is in. Words with a common mark are alike. */
export const sensesOf = (word: string): ReadonlyArray<string> => {
  const stem = stemOf(word)
  return [stem, ...(groups.get(stem) ?? [])]
}

/** Where words of each sense stand. */
export type Places = ReadonlyMap<string, ReadonlyArray<number>>

export const placesIn = (words: ReadonlyArray<Word>): Places => {
  const places = new Map<string, Array<number>>()
  for (const [at, { word }] of words.entries()) {
    for (const sense of sensesOf(word)) {
      const known = places.get(sense)
      if (known === undefined) places.set(sense, [at])
      else if (known.at(-1) !== at) known.push(at)
    }
  }
  return places
}

/** Where words that are alike stand. */
export const placesOf = (word: string, places: Places): ReadonlyArray<number> => {
  const [first = [], ...others] = sensesOf(word).flatMap((sense) => {
    const found = places.get(sense)
    return found === undefined ? [] : [found]
  })
  return others.length === 0 ? first : [...new Set([...first, ...others.flat()])].toSorted((one, other) => one - other)
}
