/** Words that are no names, without accents and apostrophes, in lower case. They tell names apart in capitals. */
const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

/** Connecting words, which are never part of a name. */
export const joiningWords = set(`
  a an the and or but nor so yet if then than as at by for from in into of off on onto over to up down with within without
  about above across after against along among around before behind below beneath beside between beyond during except
  inside near next outside past since through throughout toward towards under until upon via
  i you he she it we they me him her us them my your his its our their mine yours this that these those who whom whose
  which what when where why how here there now today tonight yesterday tomorrow
  am is are was were be been being have has had do does did will would shall should can could may might must
  not no yes ok okay yeah uh um er ah please thank thanks hi hello
  ive im id ill youre youve youll hes shes weve wed well theyre theyve thats its lets theres whats wheres heres dont
  doesnt didnt cant wont isnt arent wasnt werent havent hasnt hadnt couldnt wouldnt shouldnt
  live lives lived living reside resides residing own owned because while though although`)

/** Words of meetings that follow numbers or stand between a speaker and an address. */
const ordinaryWords = set(`
  able absent abstain abstains accept accepted access account accounts acre acres across act action active actual actually
  add added addition additional address addressed addresses adjacent adjourn adjourned adjourns adopt adopted adult adults
  affordable afford afternoon again age agencies agency agenda ago agree agreed agreement ahead aid air all allow allowed
  almost alone along already also alternative always amend amended amendment amendments amount amounts animal animals
  annual annually another answer answers any anybody anyone anything anyway apiece apartment apartments app apparently appeal
  applicant applicants application applications apply appoint appointed appointment appreciate approach appropriate approval
  approve approved approves approving approximate approximately april area areas arrest arrests article articles ask asked
  asking asks asset assets assist attached attend attended attendance attorney audience audit august authority available
  average award awarded away aye ayes baby back bad bag bags ballot ballots bar base based basic basically basis bathroom
  beautiful became become bed bedroom bedrooms beds bee beer before began begin beginning begins behalf believe believed
  belong benefit benefits best better bid bids big bigger biggest bike bikes bill billion bills bit block blocks board
  boards body bond bonds book books born both bottom bought box boxes boy boys bring bringing brings broke brother brothers
  brought budget budgets build builder building buildings built bunch burned bus buses business businesses busy buy buyers
  calendar call called caller callers calling calls came camera campus candidate candidates capacity capital car card cards
  care cars carried carries case cases cash cast cause caused cell census cent center cents certain certificate certified
  chair chairman challenge chance change changed changes chapter charge charged charges check checks chief child children
  choice choose church churches cities citizen citizens city citywide civilian claim claims class clean clear clearly clerk
  close closed closer closes closing club code codes cold college come comes coming comment comments commercial commission
  commissioner commissioners committee common communities community companies company compared complaint complaints complete
  completed completely complex concept concern concerned concerns condition conditional conditions condo condos congress
  consent consider considered constituents construction consultant contact contacts continue continued contract contractor
  contractors contracts control convicted copies copy correct correctly cost costs couldve council councils councilman
  councilmember councilmembers councilwoman counsel count counted counties country county couple course courts cover covered
  covid crash crashes create created crime crimes critical crossing crossings cubic current currently customer customers cut
  cycle daily damage dark dash data date dated daughter daughters day days dead deal dear deaths debt decades december
  decide decided decision deep defer deferred degree degrees delay delivered demand denial denied deny department departments
  deputies deputy describe design designed detached detail details developed developer developers development developments
  died difference different difficult digit digits dinner direct direction directly director disability disabled discuss
  discussed discussion displaced district districts division doctor doctors document documents dog dogs doing dollar dollars
  done donated door doors double downtown dozen dozens drainage drawing drive driven driver drivers drives driving drop due
  dump dumped duplex duplexes dwelling dwellings each earlier early earn easement easements easily easy eat education effect
  effective effort efforts eight eighty either elderly elect elected election elections electric elementary eleven else
  emails emergency emergencies emission emissions employ employee employees end ended ends energy enforcement engine engineer
  engineers enough enter entire entirely environment equal equipment especially estimate estimated estimates etc evening
  event events ever every everybody everyone everything exact exactly example excellent except excuse executive exist
  existing exit expect expected expense expenses expensive experience expires explain express extension extra eye eyes
  facilities facility fact fair fall families family far farm farms fast father fear february federal fee feedback feel feels
  feet fell felt few field fifteen fifty fight figure figures file filed files fill final finally finance financial find
  finding findings fine finish finished fire fired fires first firm fiscal five fix fixed flood flooding floods floor floors
  flow folks follow followed following food foot footer for foreign forever forget form formal former forms forty forward
  found four fourth free frequency friday friend friends front full fully fun fund funded funding funds further future gain
  gallons game games garage garbage gas gave general gentleman gentlemen get gets getting girl girls give given gives giving
  glad go goal goals god goes going gone gonna good got gotta gotten government grade graders graduate graduates grant
  granted grants great greater grew ground group groups grow growing growth guess guns guy guys half hand handle hands
  happen happened happening happens happy hard hardly hate head health hear heard hearing hearings heart heat heavy held
  help helped helps high higher highest highly highway historic hit hold holding hole home homeless homelessness homeowner
  homeowners homes honest hope hospital host hot hotel hour hourly hours house household households houses housing however
  huge human hundred hundreds hung hurt husband idea ideas identified imagine immediate immediately impact impacts important
  improve improvements inc inch inches incidents include included includes including income increase increased increases
  indeed individual individuals industrial industry information infrastructure initial inmates input inspection inspections
  inspector instead insurance intend intent intention interest interested international intersection intersections introduce
  invest invested investment invite involved issue issued issues item items itself jail january job jobs join joined july
  june just keep keeps kept key kid kids kilowatt kind kinds knew know known knows lady lake land landlord landlords lane
  lanes large larger largest last late later law laws lawyer lead least leave leaves leaving led left legal less let letter
  letters letting level levels library license licensed licenses life lifelong light lights like liked likely limit limits
  line lines list listed listen listening little load loan local located location locations long longer look looked looking
  looks lose lost lot lots love low lower lunch ma machine machines made magazine mail main maintain major make makes making
  man manager many map maps march marked market marriage married matter matters maximum maybe mayor mean means measure
  media median medical meet meeting meetings meets megawatts member members memo men mental mention mentioned merit message
  met meter meters mic microphone middle midnight mile miles million millions mind minimum minor minus minute minutes miss
  missed mixed mobile model moment monday money month monthly months more morning mostly mother motion motions mouth move
  moved movement moves moving mr mrs ms multifamily multiple municipal music myself name named names national natural nay
  nays nearby nearly necessary need needed needs negative neighbor neighborhood neighborhoods neighbors neither net never
  new news newspaper nice night nights nine nineteen ninety nobody noes noise none nonprofit nonprofits noon normal normally
  note noted notes nothing notice notices notified november nowhere number numbers nurses object objection occur october odd
  off offer offered office officer officers offices official officials often oh oil old older once one ones ongoing only open
  opened opening operate operating operation operations opinion opponents opportunity oppose opposed opposing opposition
  option options order orders ordinance ordinances organization organizations original other others otherwise ought ourselves
  outdoor outstanding overall owe owner owners page pages paid paper papers paragraph parcel parcels parent parents parking
  part participants parties partner partners parts party pass passed passes patients patrol pause pay paying payment payments
  pays peace pedestrian pedestrians pending pension people per percent percentage performance perhaps period permit permits
  permitted person personal personally personnel persons phase phases phone photos physical pick picked picture pictures
  piece pieces pipe place placed places plan planned planning plans plant planted play played please pleased plus pm podium
  point points poles police policies policy poor population portion position positions positive possible possibly post posted
  potential potholes pound pounds power practice precinct precincts prefer present presentation presented president pretty
  prevent previous previously price prices primary principal print prior private probably problem problems procedure process
  processed produce product program programs progress project projects promise proper properties property proposal proposals
  propose proposed protect protection proud provide provided provides providing public pull pump purchase purchased purpose
  purposes push put puts quality quarter question questions quick quickly quiet quite quorum quote race rain raise raised
  ran range rate rates rather rating raw reach read reading ready real really reason reasons receive received recent recently
  recess recommend recommendation recommendations recommended recommends record records recreation recruits reduce reduced
  refer referred reference regard regarding regardless regards region regional registered regular related relative relatives
  release remain remaining remember remind remove removed renew renewal rent rental rentals rented renters renting repair
  repairs repeat replace replaced report reported reports represent representative representatives represented representing
  represents request requested requesting requests require required requirement requirements requires rescue research
  reserve resident residential residents resolution resolutions resource resources respect respond responded response
  responses responsible rest restaurant restaurants result results retail retired return revenue revenues review reviewed
  reviews revised rezone rezoned rezoning rid ride riders right rights rise risk road roads role roll roof room rooms round
  route routes rule rules run running runs rural safe safety said salaries salary sale sales saturday save saved savings saw
  say saying says scale schedule scheduled scholarships school schools season seat seats second seconded seconds section
  sections sector secure security see seeing seek seem seems seen self sell send senior seniors sense sent sentence separate
  september serious serve served serves service services session set setback setbacks seven seventeen seventy several severe
  sewer sex shade share shares sheet shelter shelters sheriff sheriffs shift ship shootings shop short shot show showed shows
  shut sick side sides sidewalk sidewalks sign signal signals signatures signed significant signs similar simple simply
  single sir sister sit site sites sits sitting situation six sixteen sixty size skip slide slides slow small smaller social
  sold solution solutions some somebody somehow someone something sometimes somewhat somewhere son soon sorry sort sound
  sounds source sources south sovereign space spaces speak speaker speakers speaking special specific specifically speech
  speed speeding spend spending spent spoke spoken spots spouse square staff staffing stage stand standard standards standing
  start started starting starts state stated statement states station status stay stayed step steps still stood stop stopped
  stops store stores stories storm stormwater story straight street streets strong structure structures student students
  studies study stuff subdivision subject submit submitted substantial successful such suggest suggested sunday supplies
  supply support supported supports supposed sure surface survey surveys sworn system systems table tabled take taken takes
  taking talk talked talking tax taxes taxpayer taxpayers teach teacher teachers team teams technology telephone television
  tell telling ten tenant tenants tens term terms test testimony testing tests text therapist therefore thing things think
  thinking third thirteen thirty thought thoughts thousand thousands three threw thursday ticket tickets time timer times
  tired title together told tons too took top total totally touch tough tour town towns tracks trade traffic trail trailers
  train trained training transfer transit transportation trash travel treat tree trees trial trips trouble truck trucks true
  trust truth try trying tuesday turn turned twelve twenty twice two type types unanimous underground understand understanding
  unfortunately unit units university unless update updates upper urban use used users uses using usual usually utilities
  utility vacancies vacant valid value variance variances various vehicle vehicles veteran veterans vice victim victims view
  violation violations visit visitors visits voice volunteers vote voted voter voters votes voting wait waiting walk walked
  walking wall want wanted wants warrants waste watch watching watt watts way ways wed wednesday week weekly weeks welcome
  went whatever wheel whether whole wide widow widows wife willing window windows winter wish woman women won wonder wonderful
  word words work worked worker workers working workforce works world worried worse worst worth wow write writing written
  wrong wrote yard yards year yearly years yell yep yesterday young younger zero zone zones zoned zoning zoom nephew niece
  hey everybody folk retiree grandmother grandfather grandma grandpa kinda speedier y mi es en oclock signage
  overnight weekday weekend weekends holidays spelled correction adjoining adjoins owns homestead tenured apologize
  oppose opposing opposes vehemently strongly objectors hoa evicted beside foursquare catty kitty corner cattycorner
  stretch caucus hotline passcode amps volts gal lbs kw mph yrs sq ft
  out most very much same even density having force regulations conversation clarify aware aside putting hopefully
  cannot decisions recognize conduct break surrounding consideration consistent forum workshop administration
  necessarily water statute definition develop stadium documentation tried compliance exceed website adding defined
  properly definitely allows maintenance ability dealing permanent essentially withdraw comfortable history analysis
  management flag stands limited changing familiar opportunities serving packet ultimately majority attention lease
  potentially background economic clarification realize corridor wanting medium fairly participate fence withdrawn
  guidelines excited absolutely resolved reasonable face temporary wondering discussions nation provision
  comprehensive balance criteria determine helpful instance professional leadership colleagues versus nature height
  track conflict interstate recall red administrative typically generally compromise missing perspective proceed
  responsibility closure particularly hoping pulled assume prepared postponed entrance technical pray honor internal
  helping spot conversations ensure applied interesting debate online premises unique evidence focus qualified affect
  character supporting luck proposing originally established answered curious learn anywhere frankly pool keeping
  friendly showing noticed setting activities primarily discussing identify associated yourself shown throw disagree
  driveway political brief hire practices connection suggestion briefly residence selling addressing activity sending
  shared updated unanimously timeline lawsuit according anticipate perfect becomes steep procedures whoever affected
  easier expand challenges actions pandemic compatible package situations extremely creating attorneys manner
  considering respectfully appear grateful truly fellow legally topic applicable passing materials argument developing
  pointed cross checked roughly liquor spread focused informed centers failed joint pilot establish adequate
  protecting carry feeling welfare continuing relates petition publicly series reached accommodate whenever wishes
  tremendous science tool economy knowing screen flat accurate surplus estate eligible advantage appears boundary
  meant video extent contacted summer confused frame purchasing narrow referring crisis avoid jump stating baseball
  pre reflect anymore swear scope relationship ban honestly seriously closely attempt assuming stick literally hired
  facts illegal applies healthy confusing volume deals hiring summary learned facing dates client success context
  career applying traditional paperwork leaders aspects measures catch seemed receiving category prepare strike path
  deeds manage panel solve commend sat guide ladies entitled qualify improved link cited remarks quarterly seeking
  outreach dumping safer engaged campaign argue numerous duty valuable plenty heads tells weather width separately
  urge pets win define exempt deserve cul football losing oath connected sets conference reporting indicated pub
  trends afraid button gate tools sooner sometime amazing shape core abandoned broken trip scan tie pole multi curve
  concrete birth target strategy premise inform obvious worry utilized filling confirm everywhere unable treated
  frequently factor prove method echo statements greatly typical alley profit concludes assure effectively moral
  accessible computer challenging protected mess cleared throwing attract death regularly grown civilians signatories
  sergeant sergeants lieutenant detectives pallets widgets baths bathrooms stoplight loud racist angry sad mad upset
  scared landfill quarry asphalt gravel mill`)

/** Words that are not names by themselves: common words, and units that follow a number. */
export const commonWords: ReadonlySet<string> = new Set([...joiningWords, ...ordinaryWords])
