/**
 * Pairs of civic speech, a line each: `a = b | source` are used for each other where hardly anything is found as typed,
 * `a ~ b | source` are related and only offered. The source is the article of the English Wikipedia that uses both,
 * unless it names another.
 */
export const pairs = `
cop = police officer | Police officer
cops = police | Police officer
policeman = police officer | Police officer
fireman = firefighter | Firefighter
firemen = firefighters | Firefighter
paramedic ~ ambulance | Paramedic
paramedics ~ emergency medical | Emergency medical services
ems = emergency medical services | Emergency medical services
body camera = body worn camera | Police body camera
body cameras = body worn cameras | Police body camera
wearing cameras = body worn cameras | Police body camera
stun gun = taser | Taser
stun guns = tasers | Taser
taser = conducted energy device | Electroshock weapon
jail ~ correctional facility | Prison
inmate = incarcerated individual | Prisoner
inmates = incarcerated individuals | Prisoner
prisoner = inmate | Prisoner
convict ~ formerly incarcerated | Ex-convict
gun = firearm | Firearm
guns = firearms | Firearm
handgun ~ firearm | Handgun
shooting ~ gun violence | Gun violence
drunk driving = driving under the influence | Driving under the influence
dui = driving under the influence | Driving under the influence
red light camera = traffic enforcement camera | Traffic enforcement camera
speed camera = traffic enforcement camera | Traffic enforcement camera
homeless = unhoused | Homelessness
unhoused = homeless | Homelessness
homeless camp = encampment | Tent city
homeless camps = encampments | Tent city
tent city ~ encampment | Tent city
homeless shelter ~ emergency shelter | Homeless shelter
rent control = rent stabilization | Rent regulation
rent control = rent regulation | Rent regulation
airbnb = short term rental | Short-term rental
airbnbs = short term rentals | Short-term rental
vacation rental = short term rental | Short-term rental
vacation rentals = short term rentals | Short-term rental
landlord ~ property owner | Landlord
renter = tenant | Leasehold estate
renters = tenants | Leasehold estate
apartment building = multiple dwelling | Multifamily residential
apartment = multifamily | Multifamily residential
apartments = multifamily | Multifamily residential
duplex ~ two family | Duplex (building)
granny flat = accessory dwelling unit | Secondary suite
in-law apartment = accessory dwelling unit | Secondary suite
adu = accessory dwelling unit | Secondary suite
mobile home = manufactured home | Mobile home
mobile homes = manufactured homes | Mobile home
trailer park = mobile home park | Trailer park
public housing = housing authority | Public housing
projects ~ public housing | Public housing
section 8 = housing choice voucher | Section 8 (housing)
low income housing = affordable housing | Affordable housing
workforce housing ~ affordable housing | Affordable housing
rundown = blighted | Urban decay
rundown ~ blight | Urban decay
abandoned house ~ vacant building | Urban decay
slum ~ blight | Slum
eminent domain = condemnation | Eminent domain
zoning change = rezoning | Zoning
gentrification ~ displacement | Gentrification
trash = garbage | Waste
trash pickup = garbage collection | Waste collection
garbage = solid waste | Municipal solid waste
trash = solid waste | Municipal solid waste
dump = landfill | Landfill
litter ~ illegal dumping | Litter
junk car = abandoned vehicle | Vehicle recycling
sewage = wastewater | Wastewater
sewage treatment = wastewater treatment | Wastewater treatment
sewer ~ wastewater | Sanitary sewer
storm drain = stormwater | Storm drain
runoff ~ stormwater | Stormwater
tap water = drinking water | Drinking water
water main ~ water line | Water supply network
power line ~ transmission line | Overhead power line
power company ~ electric utility | Electric utility
street light = streetlight | Street light
pothole ~ resurfacing | Pothole
potholes ~ paving | Pothole
blacktop = asphalt | Asphalt concrete
sidewalk = pedestrian | Sidewalk
sidewalk ~ walkway | Sidewalk
crosswalk = pedestrian crossing | Pedestrian crossing
speed bump = speed hump | Speed bump
speed bumps = speed humps | Speed bump
speed bumps = traffic calming | Traffic calming
traffic circle = roundabout | Roundabout
rotary = roundabout | Roundabout
traffic light = traffic signal | Traffic light
stoplight = traffic signal | Traffic light
stop light = traffic signal | Traffic light
bike lane = bicycle lane | Bike lane
bike lanes = bicycle lanes | Bike lane
bicycle lanes = bike lanes | Bike lane
bike path ~ greenway | Bike path
bike trail ~ greenway | Greenway (landscape)
bike share = bicycle sharing | Bicycle-sharing system
scooter = e-scooter | Motorized scooter
subway ~ rapid transit | Rapid transit
bus = transit | Public transport
bus stop ~ bus shelter | Bus stop
bus station = bus terminal | Bus terminal
cab = taxi | Taxi
taxi = for-hire vehicle | Vehicle for hire
uber = for-hire vehicle | Vehicle for hire
rideshare = for-hire vehicle | Ridesharing company
rickshaw = pedicab | Cycle rickshaw
tow truck ~ towing | Tow truck
parking meter = muni meter | Parking meter
parking ticket = parking violation | Traffic ticket
parking garage = parking structure | Multistorey car park
handicapped = disabled | Disability
handicapped = accessible | Accessibility
handicapped parking = accessible parking | Disabled parking permit
wheelchair ~ accessible | Accessibility
cell phone = mobile telephone | Mobile phone
cellphones = mobile telephones | Mobile phone
cell phones = mobile telephones | Mobile phone
cell tower = telecommunications tower | Cell site
cell phone tower = cell tower | Cell site
internet ~ broadband | Broadband
old people = senior citizens | Old age
old people ~ older adults | Old age
seniors = older adults | Old age
elderly = senior citizens | Old age
kids = children | Child
teens = youth | Adolescence
babies ~ infants | Infant
daycare = child care | Child care
preschool = early childhood education | Preschool
after school ~ out of school time | After-school activity
school cop = school resource officer | School resource officer
school lunch ~ school meals | School meal
vets = veterans | Veteran
immigrants ~ immigration | Immigration
illegal aliens = undocumented immigrants | Illegal immigration
illegal immigrants = undocumented immigrants | Illegal immigration
undocumented ~ immigrant | Illegal immigration
gay marriage = same-sex marriage | Same-sex marriage
gay marriage ~ domestic partnership | Domestic partnership
trans = transgender | Transgender
blacks ~ african american | African Americans
indian tribe ~ native american | Native Americans in the United States
food stamps = supplemental nutrition assistance | Supplemental Nutrition Assistance Program
snap = supplemental nutrition assistance | Supplemental Nutrition Assistance Program
welfare ~ public assistance | Welfare spending
minimum wage ~ living wage | Living wage
sick days = sick time | Sick leave
sick days = sick leave | Sick leave
sick leave = sick time | Sick leave
maternity leave = parental leave | Parental leave
maternity leave = family leave | Parental leave
layoffs ~ furlough | Layoff
pay raise = salary increase | Salary
union contract = collective bargaining agreement | Collective bargaining
pension = retirement | Pension
minority owned ~ disadvantaged business | Minority business enterprise
contractor ~ vendor | Government procurement
property tax = real property tax | Property tax
property taxes = ad valorem | Ad valorem tax
property valuation = appraisal | Real estate appraisal
property valuations = appraisals | Real estate appraisal
property valuation ~ reassessment | Tax assessment
hotel tax = occupancy tax | Hotel tax
wheel tax ~ motor vehicle tax | Road tax
tif = tax increment financing | Tax increment financing
tax break = tax abatement | Tax exemption
tax break = payment in lieu of taxes | Payment in lieu of taxes
pilot ~ payment in lieu of taxes | Payment in lieu of taxes
bid = business improvement district | Business improvement district
ballpark = stadium | Baseball park
ball field ~ baseball field | Baseball field
playground ~ play area | Playground
swimming pool ~ aquatic center | Swimming pool
dog leash = tether | Leash
tied up = tethering | Leash
dogs tied = tethered | Leash
pet store = pet shop | Pet store
pet stores = pet shops | Pet store
dog pound = animal shelter | Animal shelter
pit bull ~ dangerous dog | Breed-specific legislation
chickens = hens | Chicken
poultry ~ chickens | Urban chicken keeping
rats = rodents | Rodent
pest control ~ extermination | Pest control
horse carriage = horse drawn cab | Carriage
styrofoam = polystyrene | Polystyrene
styrofoam = polystyrene foam | Foam food container
plastic bag = carryout bag | Plastic shopping bag
plastic bags = carryout bags | Plastic shopping bag
plastic straw ~ single use plastic | Drinking straw
vaping = electronic cigarettes | Electronic cigarette
vape = electronic cigarette | Electronic cigarette
e-cigarette = electronic cigarette | Electronic cigarette
e-cigarettes = electronic cigarettes | Electronic cigarette
hookah ~ non-tobacco smoking | Hookah
pot = marijuana | Cannabis (drug)
weed = marijuana | Cannabis (drug)
marijuana = cannabis | Cannabis (drug)
liquor = alcoholic beverage | Liquor
liquor license = beer permit | Alcohol license
overdose ~ opioid | Opioid overdose
narcan = naloxone | Naloxone
needle exchange = syringe services | Needle exchange programme
face covering = mask | Face mask
face coverings = masks | Face mask
shots ~ vaccine | Vaccination
covid shots = covid vaccine | COVID-19 vaccine
shots = vaccination | Vaccination
covid = coronavirus | Coronavirus
aed = automated external defibrillator | Automated external defibrillator
heart shock machine = defibrillator | Defibrillation
heart shock machines = defibrillators | Defibrillation
tampons = feminine hygiene products | Menstrual hygiene management
menstrual products = feminine hygiene products | Menstrual hygiene management
bathroom = toilet | Public toilet
restroom = toilet facilities | Public toilet
newspaper box = newsrack | Newspaper vending machine
newspaper boxes = newsracks | Newspaper vending machine
street vendor = food vendor | Street vendor
food cart = mobile food vending | Food cart
food truck = mobile food unit | Food truck
side skirts = side guards | Underride guard
truck side skirts = side guards | Underride guard
billboard = outdoor advertising | Billboard
flood zone = floodplain | Floodplain
climate change ~ greenhouse gas | Climate change
electric car = electric vehicle | Electric car
solar panel ~ photovoltaic | Solar panel
windmill = wind turbine | Wind turbine
tree cutting ~ tree removal | Felling
noise complaint ~ noise ordinance | Noise regulation
curfew ~ hours of operation | Curfew
campaign money = campaign finance | Campaign finance
ballot question = referendum | Referendum
charter change = charter amendment | Municipal charter
town hall ~ public forum | Town hall meeting
lawsuit = litigation | Lawsuit
lawyer = attorney | Lawyer
minutes ~ approval of the minutes | Minutes
`
