/** The words around phone numbers and e-mail addresses that say whose they are. */
const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

export const possessives = set("my mine his her their our mi")
export const owners = set("my me mine his her our us your their ours mi i im")
/** The speaker, and those for whom they answer: a number in their sentence is theirs even if nobody calls it one. */
export const persons = set(`
  i me my mine im id ive mi myself he she his her husband wife daughter son mother father mom dad sister brother
  neighbor`)
export const phoneWords = set(`
  phone number cell cellphone mobile telephone call text reach contact landline dial ring reached mobiles cells numbers
  phones calls called texts texted texting calling hit line home numero telefono celular`)
export const ownPhones = set("cell cellphone mobile landline mobiles cells personal")
/** Those whose numbers and addresses are public. */
export const offices = set(`
  office offices city county department dept clerk clerks staff commission council councils hotline helpline desk
  library center centre district police sheriff board mayor mayors department agency emergency nonemergency dispatch
  school business company store nonprofit organization website public director program planning utility utilities service services
  transit health zoom
  meeting webinar committee campaign toll invoice account case parcel map id ordinance resolution permit serial
  license confirmation tracking policy badge docket order customer animal crisis receptionist front permits
  development parks engineering court courthouse hospital clinic shelter church bank vendor contractor consultant
  item items section agenda rezoning commissioner
  interpretation registrar assessor treasurer attorney representative senator councilmember vote votes budget dollars`)
/** What the public calls a number for; one that is said for it is nobody's own. */
export const uses = set(`
  register comment comments participate information info apply report tickets interpreter interpreters listening listen
  join press enter passcode password sign schedule appointment translation vaccine donate help resources assistance
  numbers complaint complaints problems outage count counted`)
/** The area codes of numbers that cost the caller nothing, which only organizations have. */
export const tollFree = /^1?(?:800|833|844|855|866|877|888)/u

export const providers = set(`
  gmail yahoo hotmail outlook aol icloud comcast att bellsouth proton protonmail msn verizon charter sbcglobal live mac
  ymail fastmail cox earthlink juno me mail knology tds frontier`)
export const mails = set("email mail account inbox correo contact reach write send address")
export const mailWords = set("email mail me my contact reach write send address line mine its thats")
/** A domain of a government or of a public body. */
export const official =
  /^(?:gov|mil|ci|co|k12)$|^(?:city|town|county|village)of|(?:county|city|council|police|sheriff|library|schools)$/u

/** Before the `at`, what no person is called. */
export const roles = set(
  "info help sales support contact office admin service services press news hello jobs billing comments"
)
